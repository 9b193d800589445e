import type { PublicKeys } from '@glovebox/published/public-keys';
import { RefusedRecord, verifyValue } from '@glovebox/published/record-signature';

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
