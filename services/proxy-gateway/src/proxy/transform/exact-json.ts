/** Of ECMAScript; not yet declared. */
interface ExactJson {
  parse(
    text: string,
    revive: (name: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
}

/** Parsed so that it is written again with the very digits that its numbers had. */
export function parseExactly(text: string): unknown {
  const exact = JSON as unknown as ExactJson;
  return exact.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined ? exact.rawJSON(source) : value,
  );
}
