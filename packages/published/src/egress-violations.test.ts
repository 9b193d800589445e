import { createMetrics } from '@glovebox/platform/telemetry/metrics';
import { expect } from 'chai';

import { type EgressViolation, EgressViolations } from './egress-violations.ts';

const violation: EgressViolation = {
  tenantId: 't',
  subjectType: 'proxy',
  subjectId: 'p',
  destination: 'a.example:443',
  reason: 'egress_policy',
  denied: true,
  applicationId: 'a',
  correlationId: 'c',
};

describe('violations of an egress policy', () => {
  let reported: [destination: string, count: number][];
  let lost: unknown[];
  let isAway: boolean;
  let violations: EgressViolations;

  beforeEach(() => {
    reported = [];
    lost = [];
    isAway = false;
    violations = new EgressViolations({
      report: async ({ destination, count }) => {
        if (isAway) throw new Error('away');
        reported.push([destination, count]);
      },
      onLost: (error) => lost.push(error),
      metrics: createMetrics('test'),
      minuteMs: 20,
    });
  });

  afterEach(() => violations[Symbol.asyncDispose]());

  const minute = () => new Promise((resolve) => setTimeout(resolve, 40));

  it('are reported at once, and their repetitions together with their number', async () => {
    for (let i = 0; i < 100; i += 1) violations.note(violation);
    expect(reported).to.deep.equal([['a.example:443', 1]]);
    await minute();
    expect(reported).to.deep.equal([
      ['a.example:443', 1],
      ['a.example:443', 99],
    ]);
    await minute();
    violations.note(violation);
    expect(reported).to.have.lengthOf(3);
  });

  it('of one tenant to ever new hosts are few reports, and keep out those of no other tenant', async () => {
    for (let i = 0; i < 1000; i += 1) violations.note({ ...violation, destination: `h${i}.example:443` });
    violations.note({ ...violation, tenantId: 'other' });
    expect(reported).to.have.lengthOf(22);
    await violations[Symbol.asyncDispose]();
    expect(reported.reduce((sum, [, count]) => sum + count, 0)).to.equal(1001);
    expect(reported.at(-1)).to.deep.equal(['other hosts', 979]);
  });

  it('are reported later when they cannot be now', async () => {
    isAway = true;
    violations.note(violation);
    await minute();
    expect(lost).to.not.have.lengthOf(0);
    isAway = false;
    await minute();
    expect(reported).to.deep.equal([['a.example:443', 1]]);
  });
});
