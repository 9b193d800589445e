import {
  egressAllowCidrs,
  egressAllowHosts,
  egressDeniedPorts,
  egressProfile,
  urlLength,
} from '@glovebox/egress/egress-settings';
import { optional } from '@glovebox/platform/settings/builders';
import type { SettingsOf } from '@glovebox/platform/settings/setting';

const mebibyte = 1024 * 1024;

/** What tenants' code may reach, and how much of it one run may have. */
export const egressSettings = {
  profile: egressProfile,
  allowCidrs: egressAllowCidrs,
  allowHosts: egressAllowHosts,
  urlLength,
  denied: egressDeniedPorts,
  caFile: optional(
    'NODE_EXTRA_CA_CERTS',
    'A file of certificates that are trusted besides Node’s own, also by tenants’ code',
  ),
  // For a connection of tenants' code: the wait for a free one, look-up, TCP and TLS.
  connectTimeoutMs: 10_000,
  // Of one run, open at once; more wait.
  connectionsAtOnce: 16,
  // Of one run in all.
  connections: 256,
  // Over all connections of one run, in either direction: the most that one run may cost a network that all share.
  receivedBytes: 32 * mebibyte,
  sentBytes: 32 * mebibyte,
};

export type EgressConfig = SettingsOf<typeof egressSettings>;
