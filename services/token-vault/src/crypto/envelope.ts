import type { KeyObject } from 'node:crypto';

import { AppError } from '@glovebox/platform/errors/app-error';

import { decrypt, encrypt, nonceBytes, overheadBytes } from './aes-gcm.ts';
import { IntegrityViolation } from './integrity-violation.ts';
import { lengthPrefixed } from './length-prefixed.ts';

/**
 * An envelope is how every secret rests in a database:
 *
 *     offset  bytes  what
 *     0       1      format, 1 or 2
 *     1       4      version of the tenant's data key, big endian
 *     5       12     nonce
 *     17      n      ciphertext
 *     17+n    16     tag
 *
 * An envelope of format 2 belongs to a row whose tag authenticates all of its columns, and this head of the envelope
 * (row-tag.ts); otherwise the formats are the same. The key's version lets keys rotate while old rows
 * stay readable. Format and version are in the associated data too, so that neither can be changed under the value.
 *
 * The associated data ties the value to its place: tenant, record and field. An attacker who can write to the database can
 * copy one row's bytes into another, and would otherwise make the vault reveal a card under a token that they may read. With
 * the place bound, bytes open only where they were sealed. It is a required argument: there is no way to seal without.
 */
export type EnvelopeFormat = 1 | 2;
const headerBytes = 5;
const label = 'glovebox/envelope';

/** Room for a token's data of 1 MiB and what is stored with it, far below GCM's limit of 64 GiB. */
export const maxPlaintextBytes = 2 * 1024 * 1024;

/** Format, key version and nonce. Under one key no two envelopes have the same. */
export const envelopeHeadBytes = headerBytes + nonceBytes;

const minEnvelopeBytes = headerBytes + overheadBytes;
const maxEnvelopeBytes = minEnvelopeBytes + maxPlaintextBytes;
const maxKeyVersion = 0xffff_ffff;

/** The place of a sealed value. */
export interface Binding {
  readonly tenantId: string;
  readonly recordId: string;
  readonly field: string;
}

/** One version of a tenant's sealing key. A KeyObject does not print its bytes, and makes GCM 4 times as fast. */
export interface OpeningKey {
  readonly version: number;
  readonly key: KeyObject;
}

export interface SealingKey extends OpeningKey {
  /** Counts a seal. @throws AppError when the key may not seal now */
  spend(): void;
}

export function seal(
  sealingKey: SealingKey,
  binding: Binding,
  plaintext: Uint8Array,
  format: EnvelopeFormat = 1,
): Buffer {
  if (plaintext.length > maxPlaintextBytes) {
    throw new AppError('too_large', `A value to seal may have at most ${String(maxPlaintextBytes)} bytes.`);
  }
  sealingKey.spend();
  const header = Buffer.allocUnsafe(headerBytes);
  header.writeUInt8(format, 0);
  header.writeUInt32BE(sealingKey.version, 1);
  return encrypt(sealingKey.key, associatedData(format, sealingKey.version, binding), plaintext, header);
}

/** The key version of an envelope, to fetch the key. Not authenticated yet: `open` does that. */
export function keyVersionOf(envelope: Uint8Array): number {
  if (envelope.length < minEnvelopeBytes || envelope.length > maxEnvelopeBytes)
    throw new IntegrityViolation();
  return readHead(envelope).keyVersion;
}

/** Of a whole envelope, or of its head alone. @throws IntegrityViolation */
export function readHead(bytes: Uint8Array): {
  readonly format: EnvelopeFormat;
  readonly keyVersion: number;
  readonly head: Uint8Array;
} {
  const [format] = bytes;
  if (bytes.length < envelopeHeadBytes || (format !== 1 && format !== 2)) throw new IntegrityViolation();
  const keyVersion = new DataView(bytes.buffer, bytes.byteOffset, headerBytes).getUint32(1);
  return { format, keyVersion, head: bytes.subarray(0, envelopeHeadBytes) };
}

export function open(sealingKey: OpeningKey, binding: Binding, envelope: Uint8Array): Buffer {
  if (keyVersionOf(envelope) !== sealingKey.version) throw new IntegrityViolation();
  const { format } = readHead(envelope);
  const aad = associatedData(format, sealingKey.version, binding);
  return decrypt(sealingKey.key, aad, envelope.subarray(headerBytes));
}

function associatedData(
  format: EnvelopeFormat,
  version: number,
  { tenantId, recordId, field }: Binding,
): Buffer {
  if (!Number.isInteger(version) || version < 1 || version > maxKeyVersion) throw new IntegrityViolation();
  return lengthPrefixed(label, String(format), String(version), tenantId, recordId, field);
}
