import type { TenantTraffic } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

import { Traffic } from './traffic.ts';

const one = 'a7b1c2d3-0000-4000-8000-000000000001';
const other = 'a7b1c2d3-0000-4000-8000-000000000002';

describe('the traffic that a service counts', () => {
  it('is reported by tenant when the service ends: errors, refusals, kills and times', async () => {
    const reported: TenantTraffic[] = [];
    const report = async (tenants: readonly TenantTraffic[]) => void reported.push(...tenants);
    const traffic = new Traffic({ report, onLost: (error) => expect.fail(error.message) });
    traffic.noteRequest(one, 200, undefined, 0.4);
    traffic.noteRequest(one, 502, 'bad_gateway', 150);
    traffic.noteRequest(one, 403, 'permission_denied', 60_000);
    traffic.noteRequest(one, 404, 'not_found', 3);
    traffic.noteKilled(other);
    await traffic[Symbol.asyncDispose]();
    const none = Array<number>(15).fill(0);
    expect(reported).to.deep.equal([
      {
        tenantId: one,
        requests: 4,
        errors: 1,
        refused: 1,
        killed: 0,
        durations: none.with(0, 1).with(2, 1).with(7, 1).with(14, 1),
      },
      { tenantId: other, requests: 0, errors: 0, refused: 0, killed: 1, durations: none },
    ]);
  });

  it('is lost when it cannot be reported, says so once, and goes on', async () => {
    const sizes: number[] = [];
    let lost = 0;
    const report = async (tenants: readonly TenantTraffic[]) => {
      sizes.push(tenants.length);
      throw new Error('away');
    };
    const traffic = new Traffic({ report, onLost: () => (lost += 1) });
    for (let n = 0; n < 2500; n += 1) traffic.noteKilled(`tenant ${n}`);
    await traffic[Symbol.asyncDispose]();
    expect([sizes, lost]).to.deep.equal([[1000, 1000, 500], 1]);
  });
});
