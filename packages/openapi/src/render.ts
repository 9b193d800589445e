import { stringify } from 'yaml';

import { readOpenApiDocument } from './document.ts';

/** The document as one YAML text, in which nothing refers to another place but by `$ref`. */
export function renderOpenApiDocument(): string {
  const head =
    '# Made by `node --conditions=source packages/openapi/src/render-main.ts` from packages/openapi/document.\n';
  return head + stringify(readOpenApiDocument(), { aliasDuplicateObjects: false, lineWidth: 0 });
}
