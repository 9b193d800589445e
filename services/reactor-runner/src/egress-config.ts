import {
  egressAllowCidrs,
  egressAllowHosts,
  egressDeniedPorts,
  egressProfile,
  urlLength,
} from '@glovebox/egress/egress-settings';
import { integer, optional } from '@glovebox/platform/settings/builders';
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
  receivedBytes: integer('MAX_RECEIVED_BYTES', 'Bytes received over all connections of one run', {
    default: 32 * mebibyte,
    min: 1024,
    max: 1024 * mebibyte,
  }),
  // Over all connections of one run.
  sentBytes: 32 * mebibyte,
};

export type EgressConfig = SettingsOf<typeof egressSettings>;
