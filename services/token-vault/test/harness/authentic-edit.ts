import { createPostgres } from '@glovebox/platform/db/postgres';
import { Secret } from '@glovebox/platform/values/secret';

import { Keyring } from '../../src/crypto/keyring.ts';
import { openLocalFileKeyProvider } from '../../src/crypto/local-file-key-provider.ts';
import { createDekStore } from '../../src/store/tenant-keys.ts';
import { selectRows } from '../../src/store/token-rows.ts';
import { retag } from '../../src/tokens/bind-rows.ts';

/** Changes columns of tokens as time, or a vault, would: with the keys. @param assignments e.g. `expires_at = now()` */
export async function editAuthentically(
  { DATABASE_URL = '', KEY_FILE = '' }: Readonly<Record<string, string>>,
  assignments: string,
  ids?: readonly string[],
): Promise<void> {
  await using postgres = createPostgres({
    url: new Secret(DATABASE_URL),
    maxConnections: 1,
    statementTimeoutMs: 5000,
    connectTimeoutMs: 2000,
    applicationName: 'authentic-edit',
    onError: () => undefined,
  });
  const db = postgres.acrossTenants('test');
  const provider = await openLocalFileKeyProvider(KEY_FILE);
  const keyring = new Keyring({ provider, store: createDekStore(postgres) });
  const changed = await db.queryOnce<{ tenantId: string; id: string }>(
    'edit',
    `UPDATE token SET ${assignments} WHERE $1::text[] IS NULL OR id = ANY($1) RETURNING tenant_id AS "tenantId", id`,
    [ids ?? null],
  );
  for (const row of (await selectRows(db, changed, 100_000_000)) ?? []) {
    const { tag } = await retag(keyring, row);
    await db.query('retag', 'UPDATE token SET tag = $3 WHERE tenant_id = $1 AND id = $2', [
      row.tenantId,
      row.id,
      tag,
    ]);
  }
}
