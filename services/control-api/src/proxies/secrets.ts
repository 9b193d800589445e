import type { Place, PlainSecret, SealedSecret, Sealer } from '../secrets/sealer.ts';
import type { ProxyRow } from './proxy.ts';

interface Owner {
  readonly tenantId: string;
  readonly proxyId: string;
}

function placeOf({ tenantId, proxyId }: Owner, field: string): Place {
  return { tenantId, recordId: proxyId, field };
}

/** Seals a proxy's configuration, and its key where it has got a new one, in one go. */
export async function sealProxy(
  sealer: Sealer,
  owner: Owner,
  secrets: { readonly key?: string; readonly configuration: Readonly<Record<string, string>> | null },
  correlationId: string,
): Promise<{ key: Buffer | undefined; configuration: Record<string, string> | null }> {
  const entries = Object.entries(secrets.configuration ?? {});
  const plain: PlainSecret[] = entries.map(([name, plaintext]) => ({
    place: placeOf(owner, `configuration.${name}`),
    plaintext,
  }));
  if (secrets.key !== undefined) plain.push({ place: placeOf(owner, 'key'), plaintext: secrets.key });
  const sealed = await sealer.seal(plain, correlationId);
  const configuration = Object.fromEntries(
    entries.map(([name], index) => [name, (sealed[index] as Buffer).toString('base64')]),
  );
  return {
    key: secrets.key === undefined ? undefined : sealed.at(-1),
    configuration: secrets.configuration === null ? null : configuration,
  };
}

export interface ProxySecrets {
  readonly key: string;
  readonly configuration: Readonly<Record<string, string>> | null;
}

/** Opens what is secret of some proxies, all in one go, in the order of the rows. */
export async function openProxies(
  sealer: Sealer,
  rows: readonly ProxyRow[],
  correlationId: string,
): Promise<ProxySecrets[]> {
  const opened = await sealer.open(rows.flatMap(sealedSecretsOf), correlationId);
  let next = 0;
  const take = () => opened[next++] as string;
  return rows.map((row) => ({
    key: take(),
    configuration:
      row.sealed_configuration === null
        ? null
        : Object.fromEntries(Object.keys(row.sealed_configuration).map((name) => [name, take()])),
  }));
}

function sealedSecretsOf(row: ProxyRow): SealedSecret[] {
  const owner = { tenantId: row.tenant_id, proxyId: row.id };
  return [
    { place: placeOf(owner, 'key'), sealed: row.sealed_key },
    ...Object.entries(row.sealed_configuration ?? {}).map(([name, text]) => ({
      place: placeOf(owner, `configuration.${name}`),
      sealed: Buffer.from(text, 'base64'),
    })),
  ];
}
