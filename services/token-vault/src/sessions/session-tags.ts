import { decodeRecord } from '@glovebox/published/codec';

import { IntegrityViolation } from '../crypto/integrity-violation.ts';
import type { Keyring } from '../crypto/keyring.ts';
import { isTagOf, tagOf } from '../crypto/row-tag.ts';
import { isUuid } from '../values/uuid.ts';
import type { Session } from './session-store.ts';

/**
 * What the vault keeps of sessions in Redis is authenticated: who can write there could otherwise give any session any
 * right. A tag is bound to the name in Redis, and made under the tenant's current data key, whose version it names; so it
 * stays valid while keys rotate.
 */
const recordLabel = 'glovebox/session-record/1';
const nonceLabel = 'glovebox/session-nonce/1';

/**
 * A tagged record ends with a field that other readers of the protobuf pass over: its number and type, its length, the
 * version of the key, and the tag.
 */
const fieldHead = Buffer.from([(14 << 3) | 2, 36]);
const trailerBytes = fieldHead.length + 36;

export async function tagRecord(
  keyring: Keyring,
  tenantId: string,
  place: string,
  record: Buffer,
): Promise<Buffer> {
  const { version, tag } = await keyring.currentSealingKey(tenantId);
  const keyVersion = Buffer.alloc(4);
  keyVersion.writeUInt32BE(version);
  const values = [place, record.toString('base64')];
  return Buffer.concat([record, fieldHead, keyVersion, tagOf(tag, recordLabel, values)]);
}

/** @throws IntegrityViolation */
export async function checkRecord(keyring: Keyring, place: string, stored: Buffer): Promise<void> {
  const record = stored.subarray(0, -trailerBytes);
  const trailer = stored.subarray(-trailerBytes);
  if (record.length === 0 || !trailer.subarray(0, 2).equals(fieldHead)) throw new IntegrityViolation();
  const { tag } = await keyring.sealingKey(tenantOf(stored), trailer.readUInt32BE(2));
  if (!isTagOf(trailer.subarray(6), tag, recordLabel, [place, record.toString('base64')])) {
    throw new IntegrityViolation();
  }
}

/** The tenant that a record claims to be of; empty when it claims none. Not authenticated yet. */
export function claimedTenant(stored: Buffer): string {
  try {
    const { record } = decodeRecord(stored);
    return record?.$case === 'application' && isUuid(record.value.tenantId) ? record.value.tenantId : '';
  } catch {
    return '';
  }
}

function tenantOf(stored: Buffer): string {
  const tenantId = claimedTenant(stored);
  if (tenantId === '') throw new IntegrityViolation();
  return tenantId;
}

/** The tag of the entry under a session's nonce, as text. */
export async function nonceTag(keyring: Keyring, place: string, session: Session): Promise<string> {
  const { version, tag } = await keyring.currentSealingKey(session.tenantId);
  return `${version}:${tagOf(tag, nonceLabel, valuesOf(place, session)).toString('hex')}`;
}

/** @throws IntegrityViolation */
export async function checkNonce(
  keyring: Keyring,
  place: string,
  session: Session,
  text: string,
): Promise<void> {
  const [, version, hex] = /^(\d{1,9}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (version === undefined || hex === undefined || !isUuid(session.tenantId)) throw new IntegrityViolation();
  const { tag } = await keyring.sealingKey(session.tenantId, Number(version));
  if (!isTagOf(Buffer.from(hex, 'hex'), tag, nonceLabel, valuesOf(place, session))) {
    throw new IntegrityViolation();
  }
}

function valuesOf(place: string, { id, tenantId, applicationId, keyHash, expiresAt }: Session): string[] {
  return [place, id, tenantId, applicationId, keyHash, String(expiresAt)];
}
