import type { TenantDatabase } from '@glovebox/platform/db/postgres';
import type { Logger } from '@glovebox/platform/telemetry/logger';

import { settleMs } from '../../crypto/key-ages.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import {
  type Rotation,
  beginDueRotations,
  endRotation,
  pendingTenantRotations,
  takeRotationLock,
} from '../../store/key-rotations.ts';
import { ageOfKey } from '../../store/row-formats.ts';
import { resealClientKeys } from './reseal-client-keys.ts';
import { resealTokens } from './reseal-tokens.ts';
import { makeKey } from './rotate-keys.ts';

interface Rotating {
  readonly postgres: TenantDatabase;
  readonly keyring: Keyring;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/**
 * Rotates data keys that have become old, tenant by tenant, and seals everything under the new ones. It may be interrupted
 * at any time: the next round continues. One vault works at a time, and not beside an operator's command.
 */
export async function rotateDueKeys(rotating: Rotating, maxAgeDays: number): Promise<void> {
  const db = rotating.postgres.acrossTenants('key rotation');
  await beginDueRotations(db, maxAgeDays);
  for (const rotation of await pendingTenantRotations(db)) {
    const work = db.transaction(async (lock) => {
      if (await takeRotationLock(lock)) await rotateTenant(rotating, rotation);
    });
    await work.catch((err: unknown) => {
      const { tenantId: tenant_id } = rotation;
      rotating.logger.warn(
        { err, tenant_id },
        'an old data key was not rotated; the next round will continue',
      );
    });
  }
}

async function rotateTenant({ postgres, keyring, logger }: Rotating, rotation: Rotation): Promise<void> {
  const { tenantId, version } = rotation;
  await makeKey(postgres, keyring, rotation);
  const db = postgres.forTenant(tenantId);
  const age = await ageOfKey(db, tenantId, version);
  const tokens = await resealTokens({ postgres: db, keyring }, rotation, () => undefined);
  const clientKeys = await resealClientKeys({ postgres: db, keyring }, rotation);
  const resealed = tokens.resealed + clientKeys.resealed;
  if (resealed > 0) logger.info({ tenant_id: tenantId, version, resealed }, 'sealed under a new data key');
  // Until then a vault may still seal under the previous key: another round looks again.
  if (age < settleMs) return;
  await endRotation(db, rotation);
  const unreadable = tokens.unreadable + clientKeys.unreadable;
  logger.info({ tenant_id: tenantId, version, unreadable }, 'a data key was rotated');
}
