import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { mergePieces } from './merge-pieces.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { parsePiece } from './parse-piece.ts';

/** The same from `src` and from `dist`. */
const folder = new URL('../document/', import.meta.url);

/**
 * The description of the whole public surface (OpenAPI 3.1), made of the YAML pieces below `document`. Reads files:
 * to be called once.
 *
 * @throws Error when two pieces say the same thing.
 */
export function readOpenApiDocument(): OpenApiDocument {
  const names = readdirSync(fileURLToPath(folder)).filter((name) => name.endsWith('.yaml'));
  const pieces = names
    .toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b))
    .map((name) => parsePiece(name, readFileSync(new URL(name, folder), 'utf8')));
  return inOrder(mergePieces(pieces));
}

/** Tags come as their groups name them, since most readers of OpenAPI list them as they come. */
function inOrder(document: OpenApiDocument): OpenApiDocument {
  const names = document['x-tagGroups'].flatMap(({ tags }) => tags);
  const tags = document.tags.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  return { ...document, tags };
}

/** What says what the document is comes first. */
function rank(name: string): number {
  return name === 'openapi.yaml' ? 0 : 1;
}
