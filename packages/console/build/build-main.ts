/** Builds the console for images. */
import { fileURLToPath } from 'node:url';

import { buildConsole } from './build-console.ts';

await buildConsole(fileURLToPath(new URL('../dist/app', import.meta.url)));
