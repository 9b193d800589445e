import { createMetrics } from '@glovebox/platform/telemetry/metrics';
import { expect } from 'chai';

import { failuresToOpen } from './circuit.ts';
import { DestinationGates, type Passage } from './destination-gates.ts';

const origin = 'https://api.example.com';

describe('the circuit to a destination', () => {
  let now: number;
  let gates: DestinationGates;
  const metrics = () => createMetrics('proxy-gateway');

  beforeEach(() => {
    now = 0;
    gates = new DestinationGates({ slots: 1, waiting: 1, maxWaitMs: 60_000 }, metrics(), () => now);
  });

  const request = (what: 'answered' | 'failed' | 'nothing', group = 'tenant', to = origin) => {
    const passage = gates.admit(group, to);
    if (what !== 'nothing') passage[what]();
    passage.leave();
  };
  const fail = (times: number, group?: string) => {
    for (let count = 0; count < times; count += 1) request('failed', group);
  };
  const refusal = (group = 'tenant', to = origin) => {
    try {
      gates.admit(group, to).leave();
      return undefined;
    } catch (error) {
      const { code, retryAfterSeconds } = error as { code: string; retryAfterSeconds: number };
      return `${code} ${retryAfterSeconds}`;
    }
  };
  const open = 'destination_circuit_open';

  it('opens after failures in a row, for that destination of that tenant only', () => {
    fail(failuresToOpen - 1);
    expect(refusal()).to.equal(undefined);
    fail(1);
    expect(refusal()).to.equal(`${open} 1`);
    expect(refusal('another tenant')).to.equal(undefined);
    expect(refusal('tenant', 'https://api.example.com:8443')).to.equal(undefined);
  });

  it('starts to count anew after an answer, and after a minute without a failure', () => {
    fail(failuresToOpen - 1);
    request('answered');
    fail(failuresToOpen - 1);
    now += 60_001;
    fail(failuresToOpen - 1);
    expect(refusal()).to.equal(undefined);
  });

  it('lets one probe pass at a time, and closes as soon as one is answered', () => {
    fail(failuresToOpen);
    now += 1000;
    const probe = gates.admit('tenant', origin);
    expect(refusal()).to.equal(`${open} 1`);
    probe.answered();
    expect(refusal(), 'while the answer of the probe streams').to.equal(undefined);
    probe.leave();
    fail(failuresToOpen - 1);
    expect(refusal()).to.equal(undefined);
  });

  it('stays open twice as long after each probe that fails, 30 s at most', () => {
    fail(failuresToOpen);
    const waits = [1, 2, 4, 8, 16, 30, 30];
    for (const seconds of waits) {
      expect(refusal()).to.equal(`${open} ${seconds}`);
      now += seconds * 1000;
      fail(1);
    }
  });

  it('probes again when a probe ended without saying anything of the destination', () => {
    fail(failuresToOpen);
    now += 1000;
    request('nothing');
    request('answered');
    expect(refusal()).to.equal(undefined);
  });

  it('does not take failures of requests from before it opened for those of a probe', () => {
    const early = gates.admit('tenant', origin);
    fail(failuresToOpen);
    now += 900;
    early.failed();
    early.leave();
    now += 100;
    expect(refusal()).to.equal(undefined);
  });

  it('and its bulkhead: lets so many requests of a tenant pass, then so many wait in order, and refuses the rest', async () => {
    const passages = [1, 2, 3].map(() => gates.admit('tenant', origin));
    const [first, second, third] = passages as [Passage, Passage, Passage];
    expect(first.enter()).not.to.be.instanceOf(Promise);
    const waiting = second.enter() as Promise<void>;
    expect(() => third.enter()).to.throw(/Too many requests/);
    expect(refusal(), 'before anything is read').to.equal('rate_limited 1');
    const other = gates.admit('another tenant', origin);
    expect(other.enter()).not.to.be.instanceOf(Promise);
    first.leave();
    await waiting;
    second.leave();
    expect(third.enter()).not.to.be.instanceOf(Promise);
  });

  it('refuses one that has waited while the destination failed, and gives its slot back', async () => {
    gates = new DestinationGates({ slots: 1, waiting: 2, maxWaitMs: 60_000 }, metrics(), () => now);
    const [first, second] = [gates.admit('tenant', origin), gates.admit('tenant', origin)];
    void first.enter();
    const waiting = Promise.resolve(second.enter()).then(
      () => 'passed',
      (error: { code: string }) => error.code,
    );
    fail(failuresToOpen);
    first.leave();
    expect(await waiting).to.equal(open);
    second.leave();
    now += 1000;
    const probe = gates.admit('tenant', origin);
    expect(probe.enter()).not.to.be.instanceOf(Promise);
  });

  it('counts the circuits that are open, and forgets destinations that nobody asks for', async () => {
    const registry = metrics();
    gates = new DestinationGates({ slots: 1, waiting: 1, maxWaitMs: 1 }, registry, () => now);
    fail(failuresToOpen);
    fail(failuresToOpen, 'another tenant');
    request('failed', 'third');
    const count = async () =>
      (await registry.getSingleMetric('glovebox_destination_circuits_open')?.get())?.values[0]?.value;
    expect(await count()).to.equal(2);
    now += 62_000;
    expect(await count()).to.equal(0);
  });
});
