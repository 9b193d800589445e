import { type EgressProfile, egressPolicyProblems } from '@glovebox/egress/egress-policy';
import type { EnvReader } from '@glovebox/platform/env';

import type { NetworkOptions } from './environment/host/network/network-limits.ts';

/** What tenants' code may reach, and how much of it one run may have. */
export interface EgressConfig extends Omit<NetworkOptions, 'policy' | 'ownListeners'> {
  readonly profile: EgressProfile;
  readonly allowCidrs: readonly string[];
  readonly allowHosts: readonly string[];
  /** Ports of this machine that are closed also where this machine is open, in development. */
  readonly denyLocalPorts: readonly number[];
}

const mebibyte = 1024 * 1024;

export function readEgress(reader: EnvReader): EgressConfig {
  const count = (name: string, fallback: number, min: number, max: number) =>
    reader.integer(name, { default: fallback, min, max });
  const list = (name: string) =>
    (reader.optional(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  const allowed = { allowCidrs: list('EGRESS_ALLOW_CIDRS'), allowHosts: list('EGRESS_ALLOW_HOSTS') };
  const check = (name: string, settings: Partial<typeof allowed>) => {
    for (const problem of egressPolicyProblems({ profile: 'strict', ...settings }))
      reader.problem(`${name}: ${problem}`);
  };
  check('EGRESS_ALLOW_CIDRS', { allowCidrs: allowed.allowCidrs });
  check('EGRESS_ALLOW_HOSTS', { allowHosts: allowed.allowHosts });
  const ports = list('EGRESS_DENY_LOCAL_PORTS');
  if (ports.some((port) => !/^\d{1,5}$/.test(port)))
    reader.problem('EGRESS_DENY_LOCAL_PORTS must be a list of ports');
  const caFile = reader.optional('NODE_EXTRA_CA_CERTS');
  return {
    profile: reader.oneOf('EGRESS_PROFILE', ['strict', 'development'], 'strict'),
    ...allowed,
    denyLocalPorts: ports.map(Number),
    ...(caFile === undefined ? {} : { caFile }),
    connectTimeoutMs: count('CONNECT_TIMEOUT_MS', 10_000, 10, 60_000),
    connectionsAtOnce: count('MAX_CONNECTIONS_AT_ONCE', 16, 1, 1000),
    connections: count('MAX_CONNECTIONS_PER_RUN', 256, 1, 100_000),
    receivedBytes: count('MAX_RECEIVED_BYTES', 32 * mebibyte, 1024, 1024 * mebibyte),
    sentBytes: count('MAX_SENT_BYTES', 32 * mebibyte, 1024, 1024 * mebibyte),
  };
}
