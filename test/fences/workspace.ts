import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { checkout } from '@glovebox/local/places';

export interface Workspace {
  /** Relative to the checkout, e.g. `packages/access`. */
  readonly folder: string;
  /** E.g. `@glovebox/access`. */
  readonly name: string;
  readonly dependencies: readonly string[];
  /** Folders that its tsconfig.json refers to. */
  readonly references: readonly string[];
  readonly sources: readonly Source[];
}

export interface Source {
  /** Relative to the checkout. */
  readonly path: string;
  readonly text: string;
  /** Module specifiers of its static and dynamic imports and re-exports. */
  readonly imports: readonly string[];
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|(?<!['"])import\s*\(?\s*['"]([^'"]+)['"]/g;

/** The workspaces that run in production, with their sources and without their tests. */
export function readWorkspaces(): Workspace[] {
  // Without code that is compiled, as in packages/code-types, there is nothing to read.
  return globSync(['packages/*/tsconfig.json', 'services/*/tsconfig.json'], { cwd: checkout })
    .map(dirname)
    .sort()
    .map(readWorkspace);
}

function readWorkspace(folder: string): Workspace {
  const manifest = readJson(join(folder, 'package.json')) as {
    name: string;
    dependencies?: object;
    devDependencies?: object;
  };
  const { references = [] } = readJson(join(folder, 'tsconfig.json')) as { references?: { path: string }[] };
  return {
    folder,
    name: manifest.name,
    // What a bundle has inside is not installed with it.
    dependencies: Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }),
    references: references.map(({ path }) => relative(checkout, resolve(checkout, folder, path))),
    sources: globSync(`${folder}/src/**/*.ts`, { cwd: checkout })
      .filter((path) => !path.endsWith('.test.ts'))
      .sort()
      .map(readSource),
  };
}

function readSource(path: string): Source {
  const text = readFileSync(join(checkout, path), 'utf8');
  const imports = [...text.matchAll(importPattern)].map((match) => (match[1] ?? match[2]) as string);
  return { path, text, imports };
}

/** Whether a relative import leaves the sources of its workspace. */
export function leaves(source: Source, workspace: Workspace, specifier: string): boolean {
  return !importedPath(source, specifier).startsWith(`${workspace.folder}/src/`);
}

/** The file that a relative import names, relative to the checkout. */
export function importedPath(source: Source, specifier: string): string {
  return relative(checkout, resolve(checkout, dirname(source.path), specifier));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(checkout, path), 'utf8'));
}
