import { noTenant } from '../audit/audit-entry.ts';
import { IntegrityViolation } from '../crypto/integrity-violation.ts';
import type { Keyring } from '../crypto/keyring.ts';
import { checkRecord, claimedTenant } from '../sessions/session-tags.ts';
import { type Reporting, recordOwnViolation } from './record-violation.ts';

/** Refuses sessions in Redis that no vault has made, and records that. */
export function sessionCheck(
  vault: Reporting & { readonly keyring: Keyring },
): (place: string, stored: Buffer) => Promise<void> {
  return async (place, stored) => {
    try {
      await checkRecord(vault.keyring, place, stored);
    } catch (error) {
      if (error instanceof IntegrityViolation) {
        await recordOwnViolation(vault, claimedTenant(stored) || noTenant, error, 'use');
      }
      throw error;
    }
  };
}
