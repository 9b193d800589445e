/** Most bytes of the tag and the length of a field. A field with its default value takes none. */
const perField = 10;

/**
 * Upper estimate of a message's bytes on the wire: all of its strings, byte fields and lists count, whatever its type,
 * so that a new type is covered. Names are those of fields, or of a map.
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
