import { createEgressPolicy } from '@glovebox/egress/egress-policy';
import { createGuardedDispatcher } from '@glovebox/egress/guarded-dispatcher';
import type { ListenerAddress } from '@glovebox/egress/own-listeners';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';

import type { GatewayConfig } from './config.ts';
import {
  DestinationDispatchers,
  type DestinationDispatchersOptions,
} from './destinations/destination-dispatchers.ts';
import { DestinationGates } from './destinations/destination-gates.ts';

/** What requests leave by. @param listeners never dialled */
export function createEgress(
  { egress }: Pick<GatewayConfig, 'egress'>,
  listeners: readonly ListenerAddress[],
  metrics: MetricsRegistry,
  clientKeys: Pick<DestinationDispatchersOptions, 'openClientKey' | 'sealWatch'>,
) {
  const { denied, destinationTimeoutMs, maxConnectionsPerOrigin } = egress;
  const egressPolicy = createEgressPolicy(egress);
  const dispatchers = new DestinationDispatchers({
    ...clientKeys,
    create: (tls) =>
      createGuardedDispatcher({
        policy: egressPolicy,
        headersTimeoutMs: destinationTimeoutMs,
        maxConnectionsPerOrigin,
        ownListeners: () => [...listeners, ...denied],
        ...(tls === undefined ? {} : { tls }),
      }),
  });
  // No tenant takes all connections to a destination, so that another's requests never wait for all of them.
  const slots = Math.ceil((maxConnectionsPerOrigin * 3) / 4);
  const bulkhead = { slots, waiting: slots * 4, maxWaitMs: destinationTimeoutMs };
  return { egressPolicy, dispatchers, gates: new DestinationGates(bulkhead, metrics) };
}
