/** What the tag and the length of a field take at most; fields with the value that they have anyway take nothing. */
const perField = 10;

/**
 * About how many bytes a message of a contract takes on the wire, and never less: by all of its strings, byte fields and lists,
 * whatever its kind is, so that a kind that is added is counted like the others. Names are those of fields, or of a map.
 */
export function wireSize(message: unknown): number {
  if (typeof message === 'string') return perField + Buffer.byteLength(message);
  if (typeof message !== 'object' || message === null) return perField;
  if (message instanceof Uint8Array) return perField + message.byteLength;
  let size = perField;
  if (Array.isArray(message)) for (const item of message) size += wireSize(item);
  else for (const [name, value] of Object.entries(message)) size += Buffer.byteLength(name) + wireSize(value);
  return size;
}
