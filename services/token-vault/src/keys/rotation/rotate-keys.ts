import { setTimeout as sleep } from 'node:timers/promises';

import type { Postgres } from '@glovebox/platform/db/postgres';
import { CommandError, exitCodes } from '@glovebox/platform/process/commands';

import { type Keyring, currentKeyMaxAgeMs } from '../../crypto/keyring.ts';
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
  /** Undefined: all. */
  readonly tenantId: string | undefined;
  /** Until no vault seals under a previous key, to seal anew what was written meanwhile. */
  readonly wait: boolean;
  readonly onProgress: (progress: RotationProgress) => void;
}

export interface Rotated {
  readonly tenants: number;
  readonly resealed: Counts;
  /** That do not open, and stay as they are. */
  readonly unreadable: Counts;
  /** An earlier rotation, which had not come to its end, was brought there; no further keys were made. */
  readonly resumed: boolean;
}

interface Counts {
  readonly tokens: number;
  readonly clientKeys: number;
}

/** Beyond the time for which a vault keeps in mind which key is current: a transaction that has begun by then. */
const settleMs = currentKeyMaxAgeMs + 15_000;

/** What is to be done stands in the database until it is done: stopped anywhere, the next call goes on. */
export function rotateKeys(
  { postgres, keyring }: { readonly postgres: Postgres; readonly keyring: Keyring },
  { tenantId, wait, onProgress }: RotationOptions,
): Promise<Rotated> {
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
    for (const rotation of rotations) await makeKey(postgres, keyring, rotation);

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

async function makeKey(postgres: Postgres, keyring: Keyring, { tenantId, version }: Rotation): Promise<void> {
  const current = await createDekStore(postgres).current(tenantId, 'data');
  if (current !== undefined && current.version < version) await keyring.rotate(tenantId);
}

async function settled(postgres: Postgres): Promise<void> {
  const waitMs = settleMs - (await secondsSinceRotation(postgres)) * 1000;
  if (waitMs <= 0) return;
  process.stderr.write(`waiting ${Math.ceil(waitMs / 1000)} s for vaults to seal under the new keys\n`);
  await sleep(waitMs);
}
