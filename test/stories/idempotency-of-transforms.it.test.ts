import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { type Sent, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type System, sharedSystem } from '../harness/system.ts';

/** docs/idempotency.md: what transforms make belongs to the request that made it. */
describe('an idempotency key of a request whose proxy makes tokens', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;

  before(async () => {
    system = await sharedSystem();
    api = apiOf(system);
  });
  beforeEach(async () => {
    destination = await startDestination();
  });
  afterEach(() => destination[Symbol.asyncDispose]());

  const keyed = (key: string, more: Sent): Sent => ({ ...more, headers: { 'SVC-IDEMPOTENCY-KEY': key } });
  const fail = { type: 'code', code: "module.exports = () => { throw new Error('no') }" };
  const tokensWith = async (marker: string): Promise<number> => {
    const listed = await api.send('GET', `/tokens?metadata.marker=${marker}`, {
      key: system.dev.private_api_key,
    });
    return listed.json.pagination.total_items as number;
  };

  it('makes no token of a transform twice when it fails after that and is sent again', async () => {
    const marker = randomUUID();
    const token = { type: 'token', data: '{{ proxy.request.body }}', metadata: { marker } };
    const transforms = [{ type: 'tokenize', options: { identifier: 'made', token } }];
    const proxies = [
      await api.proxy(destination.url, { request_transforms: [...transforms, fail] }),
      await api.proxy('http://localhost:1', { request_transforms: transforms }),
    ];
    for (const { key } of proxies) {
      const before = await tokensWith(marker);
      const name = randomUUID();
      for (const n of ['1', '1', '2', '1']) {
        const answer = await api.invoke(key, 'POST', '', keyed(name, { body: { n } }));
        expect(answer.status, answer.text).to.be.oneOf([500, 502]);
      }
      expect(await tokensWith(marker)).to.equal(before + 2);
    }
  });

  it('makes no token of its response twice when it fails after that: it is not sent again', async () => {
    const marker = randomUUID();
    const token = { type: 'token', data: '{{ res.n }}', metadata: { marker } };
    const made = { type: 'tokenize', options: { identifier: 'made', token } };
    destination.answer = (_, response) =>
      response.setHeader('Content-Type', 'application/json').end('{"n":"1"}');
    const { key } = await api.proxy(destination.url, { response_transforms: [made, fail] });
    const name = randomUUID();
    const invoke = () => api.invoke(key, 'POST', '', keyed(name, { body: {} }));
    expect((await invoke()).status).to.equal(500);
    expect((await invoke()).status).to.equal(409);
    expect([await tokensWith(marker), destination.received.length]).to.deep.equal([1, 1]);
  });
});
