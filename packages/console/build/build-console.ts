import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Builds the console's files: `index.html`, and below `assets` what it names, with their hashes in their names. Each has a
 * compressed form beside it. What was in the folder is replaced at once.
 */
export async function buildConsole(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const made = await mkdtemp(`${folder}-`);
  try {
    await bundle(made);
    await compressAll(made);
    await rm(folder, { recursive: true, force: true });
    await rename(made, folder);
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    // Another process may have built it at the same time.
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
}

async function bundle(outDir: string): Promise<void> {
  await build({
    configFile: false,
    root,
    base: '/console/',
    logLevel: 'warn',
    // Whatever the process is that builds it: React for development is larger, and does everything twice.
    mode: 'production',
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    // Where NODE_ENV is `development` it would call what React for production does not have.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: {
      outDir,
      emptyOutDir: true,
      // It would be an inline script, which the policy refuses.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      target: 'es2023',
      rolldownOptions: {
        onLog(level, log, report) {
          // `use client` is for servers that render.
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
        },
      },
    },
  });
}

async function compressAll(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name);
    const content = await readFile(path);
    await writeFile(`${path}.br`, await promisify(brotliCompress)(content));
    await writeFile(`${path}.gz`, await promisify(gzip)(content));
  }
}
