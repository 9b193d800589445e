import type { EgressProfile } from '@glovebox/egress/egress-policy';
import type { ListenerAddress } from '@glovebox/egress/own-listeners';
import { readAllowed } from '@glovebox/egress/read-allowed';
import { readDeniedPorts } from '@glovebox/egress/read-denied-ports';
import { readUrlLength } from '@glovebox/egress/read-url-length';
import type { EnvReader } from '@glovebox/platform/settings/env';

import type { NetworkOptions } from './worker-protocol/worker-options.ts';

/** What tenants' code may reach, and how much of it one run may have. */
export interface EgressConfig extends Omit<NetworkOptions, 'policy' | 'ownListeners'> {
  readonly profile: EgressProfile;
  readonly allowCidrs: readonly string[];
  readonly allowHosts: readonly string[];
  readonly urlLength: number;
  /** Ports of this machine that are closed also where this machine is open, in development. */
  readonly denied: readonly ListenerAddress[];
}

const mebibyte = 1024 * 1024;

export function readEgress(reader: EnvReader): EgressConfig {
  const count = (name: string, fallback: number, min: number, max: number) =>
    reader.integer(name, { default: fallback, min, max });
  const caFile = reader.optional('NODE_EXTRA_CA_CERTS');
  return {
    profile: reader.oneOf('EGRESS_PROFILE', ['strict', 'development'], 'strict'),
    ...readAllowed(reader),
    urlLength: readUrlLength(reader),
    denied: readDeniedPorts(reader),
    ...(caFile === undefined ? {} : { caFile }),
    connectTimeoutMs: count('CONNECT_TIMEOUT_MS', 10_000, 10, 60_000),
    connectionsAtOnce: count('MAX_CONNECTIONS_AT_ONCE', 16, 1, 1000),
    connections: count('MAX_CONNECTIONS_PER_RUN', 256, 1, 100_000),
    receivedBytes: count('MAX_RECEIVED_BYTES', 32 * mebibyte, 1024, 1024 * mebibyte),
    sentBytes: count('MAX_SENT_BYTES', 32 * mebibyte, 1024, 1024 * mebibyte),
  };
}
