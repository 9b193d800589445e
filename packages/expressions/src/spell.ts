/** How a text is written inside of a body: as it is, within the quotes of a JSON string, or in a form. */
export type Spelling = 'text' | 'string' | 'form';

export const spell: Readonly<Record<Spelling, (text: string) => Buffer>> = {
  text: (text) => Buffer.from(text),
  string: (text) => Buffer.from(JSON.stringify(text).slice(1, -1)),
  form: (text) => encodeForm(Buffer.from(text)),
};

const space = 0x20;
const plus = 0x2b;
const percent = 0x25;
const hexDigits = Buffer.from('0123456789ABCDEF');

/** The bytes that stand for themselves: those of URL Standard, application/x-www-form-urlencoded percent-encode set. */
const literal = new Uint8Array(256);
for (const byte of Buffer.from('*-._0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')) {
  literal[byte] = 1;
}

/** As `URLSearchParams` does it, in a tenth of the time for what is large. */
function encodeForm(bytes: Buffer): Buffer {
  const encoded = Buffer.allocUnsafe(bytes.length * 3);
  let to = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (literal[byte] === 1) encoded[to++] = byte;
    else if (byte === space) encoded[to++] = plus;
    else {
      encoded[to++] = percent;
      encoded[to++] = hexDigits[byte >> 4]!;
      encoded[to++] = hexDigits[byte & 15]!;
    }
  }
  return encoded.subarray(0, to);
}
