// `node --conditions=source packages/cli/src/render-schema-main.ts`: writes the JSON Schema of glovebox.yaml.
import { writeFileSync } from 'node:fs';

import { renderSchema } from './render-schema.ts';

writeFileSync(new URL('gen/schema.ts', import.meta.url), renderSchema());
