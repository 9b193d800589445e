/** As much of DER (X.690) as a certificate takes. */

export const tags = {
  boolean: 0x01,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  text: 0x0c,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
};

/** One element: its tag, its length and what is in it. */
export function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

export function sequence(...content: readonly Uint8Array[]): Buffer {
  return der(tags.sequence, ...content);
}

/** @param hex e.g. `2a8648ce3d040302`: the value as it is encoded */
export function oid(hex: string): Buffer {
  return der(tags.oid, Buffer.from(hex, 'hex'));
}

/** A whole number that is not negative, its first bit therefore 0. */
export function integer(bytes: Uint8Array): Buffer {
  return der(0x02, bytes);
}

/** @param unused bits at the end that do not count */
export function bits(content: Uint8Array, unused = 0): Buffer {
  return der(tags.bits, Buffer.from([unused]), content);
}

/** A member that is told from its neighbours by its number, with a value of its own tag inside. */
export function tagged(number: number, content: Uint8Array): Buffer {
  return der(0xa0 | number, content);
}

/** GeneralizedTime, in whole seconds. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return der(tags.time, Buffer.from(digits));
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}
