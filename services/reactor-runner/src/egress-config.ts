import type { EgressProfile } from '@glovebox/egress/egress-policy';
import { readAllowed } from '@glovebox/egress/read-allowed';
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
  const ports = reader.list('EGRESS_DENY_LOCAL_PORTS');
  if (ports.some((port) => !/^\d{1,5}$/.test(port)))
    reader.problem('EGRESS_DENY_LOCAL_PORTS must be a list of ports');
  const caFile = reader.optional('NODE_EXTRA_CA_CERTS');
  return {
    profile: reader.oneOf('EGRESS_PROFILE', ['strict', 'development'], 'strict'),
    ...readAllowed(reader),
    denyLocalPorts: ports.map(Number),
    ...(caFile === undefined ? {} : { caFile }),
    connectTimeoutMs: count('CONNECT_TIMEOUT_MS', 10_000, 10, 60_000),
    connectionsAtOnce: count('MAX_CONNECTIONS_AT_ONCE', 16, 1, 1000),
    connections: count('MAX_CONNECTIONS_PER_RUN', 256, 1, 100_000),
    receivedBytes: count('MAX_RECEIVED_BYTES', 32 * mebibyte, 1024, 1024 * mebibyte),
    sentBytes: count('MAX_SENT_BYTES', 32 * mebibyte, 1024, 1024 * mebibyte),
  };
}
