import { PublishedRecord } from '@glovebox/protos/published/v1/published';

/**
 * A stored value is the record's version as decimal digits, a colon, and the record as protobuf bytes. The version
 * comes first so that a Redis script can compare it without knowing protobuf.
 */
export function encodeRecord(record: PublishedRecord): Buffer {
  const head = `${record.version}:`;
  const bytes = PublishedRecord.encode(record).finish();
  const value = Buffer.allocUnsafe(head.length + bytes.length);
  value.write(head, 'latin1');
  value.set(bytes, head.length);
  return value;
}

/** @throws Error when the bytes are no stored value. */
export function decodeRecord(value: Uint8Array): PublishedRecord {
  const colon = value.indexOf(0x3a);
  if (colon < 1 || colon > 20) throw new Error('not a published record');
  const record = PublishedRecord.decode(value.subarray(colon + 1));
  if (record.record === undefined) throw new Error('a published record of an unknown kind');
  return record;
}
