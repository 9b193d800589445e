import { RecordSignature } from '@glovebox/protos/published/v1/published';

import { type PublicKeys, verifiedBy } from './public-keys.ts';
import type { SigningKeyProvider } from './signing-key.ts';

/** Why a record is refused: nothing of it is used. */
export type RefusalReason = 'unsigned' | 'signature' | 'superseded' | 'marker';

/** A published record that control-api has not signed. */
export class RefusedRecord extends Error {
  override readonly name = 'RefusedRecord';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface VerifiedValue {
  /** As it was before it was signed (codec.ts). */
  readonly value: Uint8Array;
  /** Of two values of one record the newer one has the larger number. */
  readonly sequence: number;
}

const keyIdBytes = 8;
const signatureBytes = 64;

/** Tag and length of each field, and what is in them. */
const trailerBytes = 2 + (2 + keyIdBytes) + (1 + 8) + (2 + signatureBytes);

/** @param key the whole name in Redis, under which alone the signature counts */
export async function signValue(
  provider: SigningKeyProvider,
  key: string,
  sequence: number,
  value: Uint8Array,
): Promise<Buffer> {
  const head = Buffer.from(headOf(key, sequence));
  // What is signed, and behind it the trailer: what is stored is a part of the same bytes.
  const all = Buffer.allocUnsafe(head.length + value.length + trailerBytes);
  all.set(head);
  all.set(value, head.length);
  const end = head.length + value.length;
  const signature = await provider.sign(all.subarray(0, end));
  const trailer = { signature: { keyId: provider.keyId, sequence, value: signature } };
  all.set(RecordSignature.encode(trailer).finish(), end);
  return all.subarray(head.length);
}

/** @throws RefusedRecord unless one of the keys has signed this value for this name. */
export async function verifyValue(keys: PublicKeys, key: string, stored: Uint8Array): Promise<VerifiedValue> {
  const signature = trailerOf(stored);
  if (signature === undefined) throw new RefusedRecord('unsigned', `${kindOf(key)} without a signature`);
  const value = stored.subarray(0, stored.length - trailerBytes);
  const { keyId, sequence } = signature;
  const id = Buffer.from(keyId).toString('hex');
  if (!(await verifiedBy(keys, id, messageOf(key, sequence, value), signature.value)))
    throw new RefusedRecord('signature', `${kindOf(key)} with a signature that does not count`);
  return { value, sequence };
}

function trailerOf(stored: Uint8Array) {
  if (stored.length <= trailerBytes) return undefined;
  const trailer = stored.subarray(stored.length - trailerBytes);
  try {
    const { signature } = RecordSignature.decode(trailer);
    // One form only, so that no byte can be changed unnoticed.
    return signature !== undefined &&
      Buffer.compare(RecordSignature.encode({ signature }).finish(), trailer) === 0
      ? signature
      : undefined;
  } catch {
    return undefined;
  }
}

function messageOf(key: string, sequence: number, value: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(headOf(key, sequence)), value]);
}

function headOf(key: string, sequence: number): string {
  return `glovebox record 1\n${key}\n${sequence}\n`;
}

/** A name ends in a hash or an id, which logs do without. */
function kindOf(key: string): string {
  return `a record ${key.slice(0, key.lastIndexOf(':'))}`;
}
