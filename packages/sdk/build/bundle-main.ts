// `npm run prepack -w packages/sdk`: what is published beside the modules of `dist`, after `tsc`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const dist = new URL('../dist/', import.meta.url);

// The package is of modules; this folder is not.
writeFileSync(new URL('cjs/package.json', dist), `${JSON.stringify({ type: 'commonjs' })}\n`);

await build({
  entryPoints: [fileURLToPath(new URL('../src/glovebox.ts', import.meta.url))],
  outfile: fileURLToPath(new URL('browser/glovebox.js', dist)),
  bundle: true,
  minify: true,
  platform: 'browser',
  format: 'esm',
  target: 'es2022',
  logLevel: 'warning',
});
