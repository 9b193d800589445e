import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';

/**
 * Authenticates what lies beside an envelope in plain: HMAC-SHA-256 over a label and a list of values, under a key of its
 * own that is derived from the tenant's data key. A tag is checked without opening the envelope, so lists, searches and
 * deletions are covered, and a change of a column costs one HMAC instead of a decryption and an encryption.
 *
 * The head of the envelope is among the values: an older envelope does not fit into a newer row. The rest of the envelope
 * needs no place here, because without the key nobody can make another one that opens under the same nonce.
 */
export type TaggedValue = string | null;

/** @param label separates kinds of rows and records: a tag of one is none of another */
export function tagOf(key: KeyObject, label: string, values: readonly TaggedValue[]): Buffer {
  // JSON keeps values apart, and null from text. Joining bytes would take twice the time.
  return createHmac('sha256', key)
    .update(JSON.stringify([label, ...values]))
    .digest();
}

export function isTagOf(
  tag: Uint8Array,
  key: KeyObject,
  label: string,
  values: readonly TaggedValue[],
): boolean {
  const expected = tagOf(key, label, values);
  return tag.length === expected.length && timingSafeEqual(tag, expected);
}
