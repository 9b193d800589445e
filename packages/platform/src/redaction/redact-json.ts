type Redact = (texts: readonly string[]) => readonly string[] | undefined;

const stroke = '***';

/**
 * JSON without the values that `redact` removes from its texts, its numbers and the names of its members. If the whole
 * still holds one, such as digits in a list, nothing of it is left.
 * @param redact undefined when there is too much
 * @returns undefined then
 */
export function redactJson(value: unknown, redact: Redact): unknown {
  const texts: string[] = [];
  visit(value, (text) => {
    texts.push(text);
    return text;
  });
  const redacted = redact(texts);
  if (redacted === undefined) return undefined;
  if (redacted.every((text, at) => text === texts[at])) return wholly(value, redact);
  const next = redacted.values();
  return wholly(
    visit(value, () => next.next().value ?? stroke),
    redact,
  );
}

function wholly(value: unknown, redact: Redact): unknown {
  const json = JSON.stringify(value) ?? '';
  const redacted = redact([json]);
  if (redacted === undefined) return undefined;
  return redacted[0] === json ? value : stroke;
}

/** The same with each of its texts replaced, always in the same order. */
function visit(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (typeof value === 'number') {
    const text = replace(String(value));
    return text === String(value) ? value : text;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => visit(item, replace));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, item]: [string, unknown]) => [
    replace(name),
    visit(item, replace),
  ]);
  return Object.fromEntries(entries);
}
