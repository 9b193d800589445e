import type { Queryable } from '@glovebox/platform/db/postgres';

/** That the vaults are sealed. */
export interface VaultSeal {
  readonly number: number;
  readonly sealedAt: Date;
}

/** The name of the connection on which a vault looks whether it is sealed. */
export const sealWatchName = 'token-vault seal watch';

/** Undefined: the vaults are not sealed. */
export async function sealInForce(db: Queryable): Promise<VaultSeal | undefined> {
  const rows = await db.query<VaultSeal>(
    'vault-seal-in-force',
    'SELECT number, sealed_at AS "sealedAt" FROM vault_seal WHERE unsealed_at IS NULL',
  );
  return rows[0];
}

/** @returns false when they are sealed already */
export async function beginSeal(tx: Queryable): Promise<boolean> {
  const rows = await tx.query(
    'vault-seal-begin',
    'INSERT INTO vault_seal DEFAULT VALUES ON CONFLICT ((true)) WHERE unsealed_at IS NULL DO NOTHING RETURNING 1',
  );
  return rows.length > 0;
}

/** @returns false when they were not sealed */
export async function endSeal(tx: Queryable): Promise<boolean> {
  const rows = await tx.query(
    'vault-seal-end',
    'UPDATE vault_seal SET unsealed_at = clock_timestamp() WHERE unsealed_at IS NULL RETURNING 1',
  );
  return rows.length > 0;
}

/** Notes that the vault that looks on this connection has dropped its keys. */
export async function noteDrop(db: Queryable, { number }: VaultSeal): Promise<void> {
  await db.query(
    'vault-key-drop',
    'INSERT INTO vault_key_drop (seal_number, backend_pid) VALUES ($1, pg_backend_pid()) ON CONFLICT DO NOTHING',
    [number],
  );
}

export interface WatchingVaults {
  readonly watching: number;
  /** Of these, how many have dropped their keys for the seal. */
  readonly dropped: number;
}

/** Vaults that are connected now. */
export async function watchingVaults(db: Queryable, sealNumber: number): Promise<WatchingVaults> {
  const rows = await db.query<WatchingVaults>(
    'vault-seal-watching',
    `SELECT count(*)::integer AS watching, count(backend_pid)::integer AS dropped
       FROM pg_stat_activity LEFT JOIN vault_key_drop ON backend_pid = pid AND seal_number = $1
      WHERE datname = current_database() AND usename = current_user AND application_name = $2`,
    [sealNumber, sealWatchName],
  );
  return rows[0] ?? { watching: 0, dropped: 0 };
}
