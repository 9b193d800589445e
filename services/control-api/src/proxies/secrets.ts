import type { Principal } from '@glovebox/access/principal';

import {
  type Configuration,
  type Owner,
  type SealedConfiguration,
  type SealedSecret,
  type Sealer,
  hiddenSettings,
  placeOf,
  plainSettings,
  sealedSettings,
  storedSettings,
} from '../secrets/sealer.ts';
import { clientKeyField } from './destination-tls.ts';
import type { ProxyRow } from './fields.ts';

/** Seals a new proxy's configuration and key in one call. */
export async function sealProxy(
  sealer: Sealer,
  owner: Owner,
  secrets: { readonly key: string; readonly configuration: Configuration | null },
  correlationId: string,
): Promise<{ key: Buffer; configuration: SealedConfiguration | null }> {
  const { key, configuration } = secrets;
  const plain = [
    ...plainSettings(owner, configuration ?? {}),
    { place: placeOf(owner, 'key'), plaintext: key },
  ];
  const sealed = await sealer.seal(plain, correlationId);
  return {
    key: sealed.at(-1)!,
    configuration: configuration === null ? null : storedSettings(configuration, sealed),
  };
}

/** The same for a caller: people see no secrets. In their place are empty texts, so that names stay known. */
export async function openProxiesFor(
  { isPerson }: Pick<Principal, 'isPerson'>,
  sealer: Sealer,
  rows: readonly ProxyRow[],
  correlationId: string,
): Promise<ProxySecrets[]> {
  if (isPerson !== true) return openProxies(sealer, rows, correlationId);
  return rows.map(({ sealed_configuration: sealed }) => ({
    key: '',
    configuration: sealed === null ? null : hiddenSettings(sealed),
  }));
}

export interface ProxySecrets {
  readonly key: string;
  readonly configuration: Configuration | null;
}

/** Opens the secrets of some proxies in one call, in the order of the rows. */
export async function openProxies(
  sealer: Sealer,
  rows: readonly ProxyRow[],
  correlationId: string,
): Promise<ProxySecrets[]> {
  const opened = await sealer.open(rows.flatMap(sealedSecretsOf), correlationId);
  let next = 0;
  const take = () => opened[next++]!;
  return rows.map((row) => ({
    key: take(),
    configuration:
      row.sealed_configuration === null
        ? null
        : Object.fromEntries(Object.keys(row.sealed_configuration).map((name) => [name, take()])),
  }));
}

function sealedSecretsOf(row: ProxyRow): SealedSecret[] {
  const owner = { tenantId: row.tenant_id, recordId: row.id };
  return [
    { place: placeOf(owner, 'key'), sealed: row.sealed_key },
    ...sealedSettings(owner, row.sealed_configuration ?? {}),
  ];
}

/** All that is sealed of a proxy. This service cannot open all of it. */
export function allSealedOf(row: ProxyRow): SealedSecret[] {
  const owner = { tenantId: row.tenant_id, recordId: row.id };
  const key = row.destination_tls?.sealed_client_key;
  const ofDestination =
    key == null ? [] : [{ place: placeOf(owner, clientKeyField), sealed: Buffer.from(key, 'base64') }];
  return [...sealedSecretsOf(row), ...ofDestination];
}
