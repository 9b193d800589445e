import type { PublicKeys } from '@glovebox/published/public-keys';
import { RefusedRecord, verifyValue } from '@glovebox/published/record-signature';

import { applicationNamedBy } from './record.ts';

/** What was signed for a place in Redis; undefined for what was not. */
export async function verifiedValue(
  keys: PublicKeys,
  place: string,
  stored: Buffer,
): Promise<Uint8Array | undefined> {
  try {
    return (await verifyValue(keys, place, stored)).value;
  } catch (error) {
    if (error instanceof RefusedRecord) return undefined;
    throw error;
  }
}

/**
 * The application that a published proxy or reactor names. Empty for none, and for what was not signed: nobody else says
 * which application an owner had.
 */
export async function applicationIn(
  keys: PublicKeys,
  place: string,
  stored: Buffer | null | undefined,
): Promise<string> {
  const value = stored ? await verifiedValue(keys, place, stored) : undefined;
  return value === undefined ? '' : (applicationNamedBy(value) ?? '');
}
