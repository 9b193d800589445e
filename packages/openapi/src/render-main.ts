// `node --conditions=source packages/openapi/src/render-main.ts`: writes docs/openapi.yaml.
import { writeFileSync } from 'node:fs';

import { renderOpenApiDocument } from './render.ts';

writeFileSync(new URL('../../../docs/openapi.yaml', import.meta.url), renderOpenApiDocument());
