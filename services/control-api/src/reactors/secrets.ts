import type { Principal } from '@glovebox/access/principal';

import {
  type Configuration,
  type Owner,
  type SealedConfiguration,
  type SealedSecret,
  type Sealer,
  hiddenSettings,
  plainSettings,
  sealedSettings,
  storedSettings,
} from '../secrets/sealer.ts';
import type { ReactorRow } from './fields.ts';

export async function sealConfiguration(
  sealer: Sealer,
  owner: Owner,
  configuration: Configuration,
  correlationId: string,
): Promise<SealedConfiguration> {
  const sealed = await sealer.seal(plainSettings(owner, configuration), correlationId);
  return storedSettings(configuration, sealed);
}

/** The same for a caller: people see no values (contract/people.md#what-people-see). */
export async function openConfigurationsFor(
  { isPerson }: Pick<Principal, 'isPerson'>,
  sealer: Sealer,
  rows: readonly ReactorRow[],
  correlationId: string,
): Promise<Configuration[]> {
  if (isPerson !== true) return openConfigurations(sealer, rows, correlationId);
  return rows.map((row) => hiddenSettings(row.sealed_configuration));
}

/** Opens the configurations of some reactors in one call, in the order of the rows. */
export async function openConfigurations(
  sealer: Sealer,
  rows: readonly ReactorRow[],
  correlationId: string,
): Promise<Configuration[]> {
  const opened = await sealer.open(rows.flatMap(sealedSecretsOf), correlationId);
  let next = 0;
  return rows.map((row) =>
    Object.fromEntries(Object.keys(row.sealed_configuration).map((name) => [name, opened[next++]!])),
  );
}

export function sealedSecretsOf(
  row: Pick<ReactorRow, 'id' | 'tenant_id' | 'sealed_configuration'>,
): SealedSecret[] {
  return sealedSettings({ tenantId: row.tenant_id, recordId: row.id }, row.sealed_configuration);
}
