// `node --conditions=source packages/openapi/src/render-main.ts`: writes what is made of the document.
import { writeFileSync } from 'node:fs';

import { renderKnownNames } from './render-known-names.ts';
import { renderOpenApiDocument } from './render.ts';
import { renderTypeScript } from './typescript.ts';

const checkout = new URL('../../../', import.meta.url);
writeFileSync(new URL('docs/openapi.yaml', checkout), renderOpenApiDocument());
writeFileSync(new URL('test/gen/api-types.ts', checkout), renderTypeScript());
writeFileSync(new URL('packages/openapi/src/gen/known-names.ts', checkout), renderKnownNames());
