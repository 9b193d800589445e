import { IntegrityViolation } from '../crypto/integrity-violation.ts';
import type { Keyring } from '../crypto/keyring.ts';
import { checkRecord, claimedTenant } from '../sessions/session-tags.ts';
import { type Reporting, recordOwnViolation } from './record-violation.ts';

/** In the audit log, a record that names no tenant at all. */
const noTenant = '00000000-0000-0000-0000-000000000000';

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
