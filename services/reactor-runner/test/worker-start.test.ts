import { createEgressPolicy } from '@glovebox/egress/egress-policy';
import { expect } from 'chai';

import { WorkerProcess } from '../src/pool/worker-process.ts';

const limits = {
  memoryMb: 64,
  processMemoryMb: 400,
  argumentBytes: 1000,
  resultLength: 1000,
  logLength: 1000,
  asksAtOnce: 1,
  asksPerCall: 1,
  askBytes: 1000,
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

describe('a worker process that can not start', () => {
  it('ends at once and says why', async () => {
    const events = { progress: () => {}, exit: () => {} };
    const startedAt = performance.now();
    const [outcome] = await Promise.allSettled([
      WorkerProcess.start({ ...limits, libraryFile: '/nowhere/library.json' }, 0, events),
    ]);
    expect(outcome.status).to.equal('rejected');
    expect((outcome as PromiseRejectedResult).reason.message).to.contain('/nowhere/library.json');
    expect(performance.now() - startedAt).to.be.lessThan(limits.startMs / 2);
  });
});
