import { chmodSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

/** Writes the whole program into one file, which needs Node.js 20 and no package. */
export async function bundle(outfile: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL('main.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['source'],
    // The parser of YAML is CommonJS, and requires modules of Node.js.
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
    },
    legalComments: 'inline',
    logLevel: 'warning',
    define: { codeTypes: JSON.stringify(codeTypes()) },
  });
  chmodSync(outfile, 0o755);
}

/** The declarations of packages/code-types, by their file names. */
function codeTypes(): Record<string, string> {
  const folder = new URL('../../code-types/', import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith('.d.ts'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]));
}
