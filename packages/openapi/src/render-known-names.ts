import { readOpenApiDocument } from './document.ts';
import { namesOfDocument } from './names-of-document.ts';

/** What `known-names.ts` reads, as a module: services need not read the whole document for it. One operation a line. */
export function renderKnownNames(): string {
  const lines = Object.entries(namesOfDocument(readOpenApiDocument())).map(
    ([key, names]) => `  ${JSON.stringify(key)}: ${JSON.stringify(names)},\n`,
  );
  return `// Made by \`node --conditions=source packages/openapi/src/render-main.ts\` from packages/openapi/document.

export const table = {
${lines.join('')}};
`;
}
