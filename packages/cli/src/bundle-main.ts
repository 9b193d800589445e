// `npm run prepack -w packages/cli`: makes what is published, also before `npm pack`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { bundle } from './bundle.ts';
import { schema } from './gen/schema.ts';

const folder = new URL('../dist/bundle/', import.meta.url);
await bundle(fileURLToPath(new URL('glovebox.mjs', folder)));
writeFileSync(new URL('glovebox.schema.json', folder), `${JSON.stringify(schema, undefined, 2)}\n`);
