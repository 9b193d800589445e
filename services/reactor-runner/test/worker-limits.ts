import { createEgressPolicy } from '@glovebox/egress/egress-policy';

/** Of worker processes that a test starts by itself. */
export const limits = {
  memoryMb: 64,
  cpuMs: 2000,
  processMemoryMb: 400,
  argumentBytes: 1000,
  resultLength: 1000,
  logLength: 1000,
  logLines: 100,
  btRequestsAtOnce: 1,
  btRequestsPerCall: 1,
  btRequestBytes: 1000,
  network: {
    policy: createEgressPolicy({ profile: 'strict' }),
    ownListeners: [],
    connectTimeoutMs: 1000,
    connectionsAtOnce: 1,
    connections: 1,
    receivedBytes: 1000,
    sentBytes: 1000,
  },
  suspendedPerWorker: 4,
  runsPerIsolate: 10,
  startMs: 60_000,
};
