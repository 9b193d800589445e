import type { Call, Reply } from '../../http/call.ts';
import { showReactor } from '../../reactors/fields.ts';
import { openConfigurationsFor } from '../../reactors/secrets.ts';
import { findReactor } from '../../reactors/store.ts';
import { reactorVersion } from '../../reactors/versions.ts';
import type { Configuration } from '../../secrets/sealer.ts';
import type { Dependencies } from '../dependencies.ts';

export async function getReactor(
  { postgres, sealer }: Dependencies,
  { principal, id, correlationId }: Call,
): Promise<Reply> {
  const reactor = await findReactor(postgres, principal.tenantId, id);
  const [configuration] = await openConfigurationsFor(principal, sealer, [reactor], correlationId);
  const body = showReactor(reactor, configuration as Configuration);
  return { status: 200, body, version: reactorVersion(reactor) };
}
