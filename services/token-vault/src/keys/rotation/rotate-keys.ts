import { setTimeout as sleep } from 'node:timers/promises';

import type { Queryable, TenantDatabase } from '@glovebox/platform/db/postgres';
import { CommandError, exitCodes } from '@glovebox/platform/process/commands';

import { settleMs } from '../../crypto/key-ages.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import {
  type Rotation,
  beginRotation,
  endRotation,
  pendingRotations,
  secondsSinceRotation,
  takeRotationLock,
} from '../../store/key-rotations.ts';
import { createDekStore } from '../../store/tenant-keys.ts';
import { resealClientKeys } from './reseal-client-keys.ts';
import { resealTokens } from './reseal-tokens.ts';

export interface RotationProgress {
  readonly tenants: number;
  readonly tenantsDone: number;
  readonly resealed: number;
}

export interface RotationOptions {
  /** Undefined: all tenants. */
  readonly tenantId: string | undefined;
  /** Waits until no vault seals under a previous key, then reseals what was written meanwhile. */
  readonly wait: boolean;
  readonly onProgress: (progress: RotationProgress) => void;
}

export interface Rotated {
  readonly tenants: number;
  readonly resealed: Counts;
  /** Values that do not decrypt; they stay as they are. */
  readonly unreadable: Counts;
  /** Whether an interrupted rotation was completed instead of making new keys. */
  readonly resumed: boolean;
}

interface Counts {
  readonly tokens: number;
  readonly clientKeys: number;
}

/** Progress is stored in the database: an interrupted rotation continues with the next call. */
export function rotateKeys(
  { postgres: database, keyring }: { readonly postgres: TenantDatabase; readonly keyring: Keyring },
  { tenantId, wait, onProgress }: RotationOptions,
): Promise<Rotated> {
  const postgres = database.acrossTenants('key rotation');
  return postgres.transaction(async (lock) => {
    if (!(await takeRotationLock(lock))) {
      throw new CommandError(exitCodes.temporary, 'Keys are being rotated by another process.');
    }
    const unfinished = await pendingRotations(postgres, tenantId);
    if (unfinished.length === 0) await beginRotation(postgres, tenantId);
    const rotations = unfinished.length > 0 ? unfinished : await pendingRotations(postgres, tenantId);
    if (tenantId !== undefined && rotations.length === 0) {
      throw new CommandError(exitCodes.data, `Tenant ${tenantId} has no data key.`);
    }
    for (const rotation of rotations) await makeKey(database, keyring, rotation);

    const resealed = { tokens: 0, clientKeys: 0 };
    let unreadable = { tokens: 0, clientKeys: 0 };
    let tenantsDone = 0;
    const reseal = async (rotation: Rotation) => {
      const report = (more: number) =>
        onProgress({ tenants: rotations.length, tenantsDone, resealed: resealed.tokens + more });
      const tokens = await resealTokens({ postgres, keyring }, rotation, report);
      const clientKeys = await resealClientKeys({ postgres, keyring }, rotation);
      resealed.tokens += tokens.resealed;
      resealed.clientKeys += clientKeys.resealed;
      unreadable.tokens += tokens.unreadable;
      unreadable.clientKeys += clientKeys.unreadable;
    };
    for (const rotation of rotations) {
      await reseal(rotation);
      tenantsDone += 1;
      if (!wait) await endRotation(postgres, rotation);
    }
    if (wait && rotations.length > 0) {
      await settled(postgres);
      unreadable = { tokens: 0, clientKeys: 0 };
      for (const rotation of rotations) {
        await reseal(rotation);
        await endRotation(postgres, rotation);
      }
    }
    return { tenants: rotations.length, resumed: unfinished.length > 0, resealed, unreadable };
  });
}

/** Makes the key of a rotation unless it is there. */
export async function makeKey(
  postgres: TenantDatabase,
  keyring: Keyring,
  { tenantId, version }: Rotation,
): Promise<void> {
  const current = await createDekStore(postgres).current(tenantId, 'data');
  if (current !== undefined && current.version < version) await keyring.rotate(tenantId);
}

async function settled(postgres: Queryable): Promise<void> {
  const waitMs = settleMs - (await secondsSinceRotation(postgres)) * 1000;
  if (waitMs <= 0) return;
  process.stderr.write(`waiting ${Math.ceil(waitMs / 1000)} s for vaults to seal under the new keys\n`);
  await sleep(waitMs);
}
