import type { Queryable } from '@glovebox/platform/db/postgres';

import type { Resealed } from '../secrets/resealed.ts';
import { type SealedConfiguration, type SealedSecret, placeOf, sealedSettings } from '../secrets/sealer.ts';

interface SealedVersion {
  readonly resource_id: string;
  readonly tenant_id: string;
  readonly version: string;
  readonly configuration: SealedConfiguration | null;
  /** Of a proxy's destination, in base64. */
  readonly client_key: string | null;
}

/** Tables of versions, and of what they are versions of. */
const tables = { proxies: 'proxy_versions', reactors: 'reactor_versions' } as const;
export type VersionedTable = keyof typeof tables;

const sealedParts = `nullif(definition -> 'sealed_configuration', 'null') AS configuration,
  definition #>> '{destination_tls,sealed_client_key}' AS client_key`;

/**
 * The sealed values of kept versions, by the resource.
 * @param clientKeyField under which the keys of destinations are sealed
 */
export async function sealedInVersions(
  db: Queryable,
  table: VersionedTable,
  ids: readonly string[],
  clientKeyField = '',
): Promise<ReadonlyMap<string, readonly SealedSecret[]>> {
  const rows = await db.query<SealedVersion>(
    `sealed-in-versions-of-${table}`,
    `SELECT resource_id, tenant_id, version, ${sealedParts}
       FROM ${tables[table]} WHERE resource_id = ANY($1::uuid[])`,
    [ids],
  );
  const secrets = new Map<string, SealedSecret[]>();
  for (const { resource_id: id, tenant_id: tenantId, configuration, client_key: key } of rows) {
    const owner = { tenantId, recordId: id };
    const found = sealedSettings(owner, configuration ?? {});
    if (key !== null)
      found.push({ place: placeOf(owner, clientKeyField), sealed: Buffer.from(key, 'base64') });
    secrets.set(id, [...(secrets.get(id) ?? []), ...found]);
  }
  return secrets;
}

/** Replaces the sealed values of a locked resource's versions. */
export async function resealVersions(
  tx: Queryable,
  table: VersionedTable,
  id: string,
  resealed: Resealed,
): Promise<void> {
  const rows = await tx.query<SealedVersion>(
    `sealed-versions-of-${table}`,
    `SELECT version, ${sealedParts} FROM ${tables[table]} WHERE resource_id = $1`,
    [id],
  );
  for (const { version, configuration, client_key: key } of rows) {
    const put = (path: string, value: unknown) =>
      tx.query(
        `reseal-versions-of-${table}`,
        `UPDATE ${tables[table]} SET definition = jsonb_set(definition, $3::text[], $4)
          WHERE resource_id = $1 AND version = $2 AND definition #> $3::text[] <> $4`,
        [id, version, path, JSON.stringify(value)],
      );
    if (configuration !== null) await put('{sealed_configuration}', resealed.configuration(configuration));
    if (key !== null) await put('{destination_tls,sealed_client_key}', resealed.text(key));
  }
}
