import type { Call } from '../../http/call.ts';
import type { ProxyRow } from '../../proxies/fields.ts';
import { sealChanges } from '../../secrets/seal-changes.ts';
import type { SealedConfiguration } from '../../secrets/sealer.ts';
import type { Dependencies } from '../dependencies.ts';
import { sealClientKey } from './destination-tls.ts';
import type { ProxyInput } from './schema.ts';

export interface SealedInput {
  readonly configuration: SealedConfiguration | null;
  readonly clientKey: string | null;
}

/** The secrets of a request for a proxy that exists: equal values stay sealed as they are. */
export async function sealInput(
  { sealer }: Pick<Dependencies, 'sealer'>,
  { principal: { tenantId }, id, correlationId }: Pick<Call, 'principal' | 'id' | 'correlationId'>,
  before: ProxyRow,
  { configuration: next, tls }: ProxyInput,
): Promise<SealedInput> {
  const owner = { tenantId, recordId: id };
  const current = before.sealed_configuration;
  return {
    configuration: next === null ? null : await sealChanges(sealer, owner, { current, next }, correlationId),
    clientKey: await sealClientKey(sealer, owner, tls, correlationId),
  };
}
