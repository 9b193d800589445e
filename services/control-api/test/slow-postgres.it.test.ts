import { Secret } from '@glovebox/platform/values/secret';
import { expect } from 'chai';

import { type TestApi, startTestApi } from './harness/api.ts';
import { type Cable, layCable } from './harness/cable.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { newInstallation } from './harness/stores.ts';
import { until } from './harness/until.ts';

/** More at once than there are connections. */
const atOnce = 25;

describe('control-api, when Postgres', function () {
  this.timeout(90_000);
  let cable: Cable;
  let api: TestApi;

  before(async () => {
    const config = await newInstallation();
    cable = await layCable(config.databaseUrl.reveal());
    api = await startTestApi({ sealer: reversingSealer }, { ...config, databaseUrl: new Secret(cable.url) });
    await until(20_000, async () => expect((await list()).status).to.equal(200));
  });
  after(async () => {
    await api[Symbol.asyncDispose]();
    await cable[Symbol.asyncDispose]();
  });

  const list = () => api.send('GET /applications');
  const lists = async () => {
    const answers = await Promise.all(Array.from({ length: atOnce }, list));
    return [...new Set(answers.map(({ status }) => status))];
  };

  it('is slow, answers late, all of them', async () => {
    cable.slow(150);
    expect(await lists()).to.deep.equal([200]);
    cable.mend();
  });

  it('says nothing any more, answers that, within its time limits, and goes on when it speaks again', async () => {
    cable.slow(Infinity);
    const startedAt = Date.now();
    expect(await lists()).to.deep.equal([503]);
    // Of a connection, 5 s; of a statement, 11 s.
    expect(Date.now() - startedAt).to.be.below(30_000);
    const ready = await fetch(`http://127.0.0.1:${api.service.metricsPort}/readyz`);
    expect(ready.status).to.equal(503);
    expect(((await ready.json()) as { reasons: object }).reasons).to.have.property('postgres');
    cable.mend();
    await until(20_000, async () => expect((await list()).status).to.equal(200));
  });
});
