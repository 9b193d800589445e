import type { Handler } from '../http/operation.ts';
import type { Configuration } from '../secrets/configuration.ts';
import type { ReactorDependencies } from './dependencies.ts';
import { showReactor } from './reactor.ts';
import { openConfigurations } from './secrets.ts';
import { findReactor } from './store.ts';

export function getReactor({ postgres, sealer }: ReactorDependencies): Handler {
  return async ({ principal, id, correlationId }) => {
    const reactor = await findReactor(postgres, principal.tenantId, id);
    const [configuration] = await openConfigurations(sealer, [reactor], correlationId);
    return { status: 200, body: showReactor(reactor, configuration as Configuration) };
  };
}
