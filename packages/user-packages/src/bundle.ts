import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Plugin, build, stop } from 'esbuild';

import { type AllowedPackage, allowList } from './allow-list.ts';
import { buildFixes, fixed } from './build-fixes.ts';
import { folderOf, packageFolderOf } from './installed.ts';
import type { PackContents } from './pack.ts';

export interface Bundles extends PackContents {
  /** Folders of the packages that they contain. */
  readonly folders: readonly string[];
}

const thisFile = fileURLToPath(import.meta.url);
const here = path.dirname(thisFile);
const entryNamespace = 'user-packages';
const modules = '/node_modules/';
/** A larger JSON file becomes a text of its own, parsed only when it is used. */
const maxJsonBytes = 4096;

/**
 * Bundles each package of the list into one script for a function of `(exports, require, module, __filename,
 * __dirname)`. It exports a table of functions, one for each name that may be required, so that the names of one package
 * share its modules. Node's own modules stay with `require`.
 */
export async function bundlePackages(list: readonly AllowedPackage[] = allowList): Promise<Bundles> {
  const data = new Map<string, string>();
  const byName = new Map(list.map((allowed) => [allowed.name, allowed]));
  try {
    const { outputFiles, metafile } = await build({
      entryPoints: list.map(({ name }) => ({ in: `${entryNamespace}:${name}`, out: name })),
      plugins: [entries(byName), ownPackages, largeJson(data), files(data), fixes],
      outdir: here,
      absWorkingDir: here,
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'cjs',
      target: 'es2022',
      mainFields: ['main', 'module'],
      conditions: [],
      charset: 'ascii',
      minifyWhitespace: true,
      legalComments: 'eof',
      define: { 'process.env.NODE_ENV': '"production"' },
      // Packages with native code fall back when it cannot be required.
      external: ['*.node'],
      logLevel: 'silent',
    });
    const texts = outputFiles.map(
      ({ path: out, text }) => [path.relative(here, out).slice(0, -3), text] as const,
    );
    return {
      names: new Map(list.flatMap((allowed) => targetsOf(allowed).map(([name]) => [name, allowed.name]))),
      texts: new Map([...texts, ...data].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      folders: [
        ...new Set([
          ...Object.keys(metafile.inputs).flatMap((file) => packageFolderOf(path.join(here, file))),
          ...[...data.keys()].map((text) => folderOf(packageIn(text))),
        ]),
      ].toSorted(),
    };
  } finally {
    await stop();
  }
}

function entries(byName: ReadonlyMap<string, AllowedPackage>): Plugin {
  return {
    name: 'entries',
    setup(builder) {
      builder.onResolve({ filter: new RegExp(`^${entryNamespace}:`) }, ({ path: name }) => ({
        path: name.slice(entryNamespace.length + 1),
        namespace: entryNamespace,
      }));
      builder.onLoad({ filter: /./, namespace: entryNamespace }, ({ path: name }) => ({
        contents: tableOf(targetsOf(byName.get(name)!)),
        resolveDir: here,
      }));
    },
  };
}

/** Aliases have the same function. */
function tableOf(targets: readonly (readonly [name: string, target: string])[]): string {
  const unique = [...new Set(targets.map(([, target]) => target))];
  const loaders = unique.map((target) => `() => require(${JSON.stringify(target)})`);
  const members = targets.map(
    ([name, target]) => `${JSON.stringify(name)}: loaders[${unique.indexOf(target)}]`,
  );
  return `const loaders = [${loaders.join(',\n')}];\nmodule.exports = {${members.join(',\n')}};`;
}

/** The names that may be required, and what is bundled for each. */
function targetsOf({ name, main = name, paths = [], aliases = [] }: AllowedPackage): [string, string][] {
  const target = main.startsWith('./')
    ? path.join(here, main.replace(/\.ts$/, path.extname(thisFile)))
    : main;
  const below = paths.flatMap((pattern) => (pattern.includes('*') ? filesOf(name, pattern) : [pattern]));
  return [
    ...[name, ...aliases].map((known): [string, string] => [known, target]),
    ...below.map((file): [string, string] => [`${name}/${file}`, `${name}/${file}`]),
  ];
}

function filesOf(name: string, pattern: string): string[] {
  return globSync(`${pattern}.js`, { cwd: folderOf(name) })
    .map((file) => file.slice(0, -3))
    .toSorted();
}

function largeJson(data: Map<string, string>): Plugin {
  return {
    name: 'large JSON',
    setup(builder) {
      builder.onResolve({ filter: /^\.\.?\/.*\.json$/ }, ({ path: relative, resolveDir }) => {
        const file = path.join(resolveDir, relative);
        const text = readFileSync(file, 'utf8');
        if (text.length <= maxJsonBytes) return undefined;
        const name = `json:${file.slice(file.indexOf(modules) + modules.length)}`;
        data.set(name, asciiJson(text));
        return { path: name, external: true };
      });
    },
  };
}

/** `require('base64:NAME/FILE')` is a file of a package in base64, also as a text of its own. */
function files(data: Map<string, string>): Plugin {
  return {
    name: 'files',
    setup(builder) {
      builder.onResolve({ filter: /^base64:/ }, ({ path: specifier }) => {
        const file = specifier.slice('base64:'.length);
        const name = `json:${file}`;
        const bytes = readFileSync(fileURLToPath(import.meta.resolve(file)));
        data.set(name, JSON.stringify(bytes.toString('base64')));
        return { path: name, external: true };
      });
    },
  };
}

/** Packages of this project are resolved as in this process: to their source, if it runs from source. */
const ownPackages: Plugin = {
  name: 'own packages',
  setup(builder) {
    builder.onResolve({ filter: /^@glovebox\// }, ({ path: specifier }) => ({
      path: fileURLToPath(import.meta.resolve(specifier)),
    }));
  },
};

const fixes: Plugin = {
  name: 'fixes',
  setup(builder) {
    for (const fix of buildFixes) {
      const filter = new RegExp(`${modules}${RegExp.escape(fix.file)}$`);
      builder.onLoad({ filter }, ({ path: file }) => ({ contents: fixed(readFileSync(file, 'utf8'), fix) }));
    }
  },
};

/** The package that such a text belongs to. */
function packageIn(name: string): string {
  return /^json:((?:@[^/]+\/)?[^/]+)/.exec(name)![1]!;
}

function asciiJson(text: string): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(JSON.parse(text)).replaceAll(/[\u0080-\uffff]/g, escape);
}
