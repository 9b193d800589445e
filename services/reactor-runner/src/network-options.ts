import { createEgressPolicy } from '@glovebox/egress/egress-policy';
import { parseRedisUrl, portsOf } from '@glovebox/platform/values/redis-url';

import type { RunnerConfig } from './config.ts';
import type { NetworkOptions } from './worker-protocol/worker-options.ts';

/** What tenants' code may reach, and what it never may: the ports on this machine at which the platform itself listens. */
export function networkOptions({
  egress,
  grpc,
  metrics,
  redis,
  vault,
}: Pick<RunnerConfig, 'egress' | 'grpc' | 'metrics' | 'redis' | 'vault'>): NetworkOptions {
  const { profile, allowCidrs, allowHosts, urlLength, denied, caFile, ...limits } = egress;
  const ports = [
    grpc.port,
    metrics.port,
    ...portsOf(parseRedisUrl(redis.url.reveal())),
    Number(vault.address.slice(vault.address.lastIndexOf(':') + 1)),
  ];
  return {
    ...limits,
    policy: createEgressPolicy({ profile, allowCidrs, allowHosts, urlLength }),
    ownListeners: [
      ...ports.filter((port) => port > 0).map((port) => ({ address: '0.0.0.0', port })),
      ...denied,
    ],
    ...(caFile === undefined ? {} : { caFile }),
  };
}
