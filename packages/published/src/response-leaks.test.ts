import { createMetrics } from '@glovebox/platform/telemetry/metrics';
import { expect } from 'chai';

import { type ResponseLeak, ResponseLeaks } from './response-leaks.ts';

const leak: ResponseLeak = {
  tenantId: 't',
  subjectType: 'proxy',
  subjectId: 'p',
  destination: 'a.example:443',
  mode: 'mask',
  applicationId: 'a',
  correlationId: 'c',
};

describe('leaks that a guard has found', () => {
  let reported: (ResponseLeak & { count: number })[];
  let leaks: ResponseLeaks;

  beforeEach(() => {
    reported = [];
    const report = async (request: ResponseLeak & { count: number }) => void reported.push(request);
    leaks = new ResponseLeaks({ report, onLost: () => undefined, metrics: createMetrics('test') });
  });

  afterEach(() => leaks[Symbol.asyncDispose]());

  it('are grouped by subject, mode and application, and equal ones are counted', async () => {
    const others = [
      { subjectId: 'q' },
      { destination: 'b.example:443' },
      { mode: 'refuse' },
      { applicationId: 'b' },
    ];
    for (let i = 0; i < 100; i += 1) leaks.note({ ...leak, correlationId: `c${i}` });
    for (const other of others) leaks.note({ ...leak, ...other });
    expect(reported).to.deep.equal([
      { ...leak, correlationId: 'c0', count: 1 },
      ...others.map((other) => ({ ...leak, ...other, count: 1 })),
    ]);
    await leaks[Symbol.asyncDispose]();
    expect(reported.at(-1)).to.deep.equal({ ...leak, correlationId: 'c0', count: 99 });
  });

  it('of one tenant are few reports, also when a caller names ever new hosts', async () => {
    for (let i = 0; i < 3000; i += 1)
      leaks.note({ ...leak, subjectId: '', destination: `h${i}.example:443` });
    expect(reported).to.have.lengthOf(1001);
    await leaks[Symbol.asyncDispose]();
    const { subjectId, destination, applicationId, count } = reported.at(-1) ?? {};
    expect([subjectId, destination, applicationId, count]).to.deep.equal(['', '', '', 1999]);
    expect(reported.reduce((sum, report) => sum + report.count, 0)).to.equal(3000);
  });
});
