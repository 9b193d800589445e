import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Written by `npm run build:console`. */
const builtFolder = fileURLToPath(new URL('../dist/app', import.meta.url));
const sources = fileURLToPath(new URL('../app', import.meta.url));

/** A file of the console in each encoding. */
export interface ConsoleFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** By their paths below `/console`, such as `/index.html` and `/assets/…`. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * The files of the console: as they were built, or, where services run from source, built now if the sources are newer.
 * @throws Error when there is neither a build nor a checkout
 */
export async function openConsole(): Promise<ConsoleFiles> {
  if (import.meta.url.endsWith('.ts') && isStale()) {
    // By its address: an image has no bundler, so nothing that is compiled for it may import one.
    const builder = new URL('../build/build-console.ts', import.meta.url).href;
    const { buildConsole } = (await import(builder)) as { buildConsole: (folder: string) => Promise<void> };
    await buildConsole(builtFolder);
  }
  const files = readdirSync(builtFolder, { recursive: true, withFileTypes: true });
  return new Map(
    files.flatMap((file) => {
      const type = types[extname(file.name)];
      if (!file.isFile() || type === undefined) return [];
      const path = join(file.parentPath, file.name);
      const read = (suffix: string) => readFileSync(path + suffix);
      const one = { type, plain: read(''), br: read('.br'), gzip: read('.gz') };
      return [[`/${relative(builtFolder, path)}`, one] as const];
    }),
  );
}

function isStale(): boolean {
  const built = join(builtFolder, 'index.html');
  if (!existsSync(built)) return true;
  const since = statSync(built).mtimeMs;
  const files = readdirSync(sources, { recursive: true, withFileTypes: true });
  return files.some((file) => file.isFile() && statSync(join(file.parentPath, file.name)).mtimeMs > since);
}
