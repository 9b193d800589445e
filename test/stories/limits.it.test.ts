import { expect } from 'chai';

import { type Sent, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type System, startSystem } from '../harness/system.ts';

const code = 'module.exports = async (req) => req.args;';
const kibibyte = 'x'.repeat(1024);

/** docs/settings.md */
describe('the sizes that the operator has set', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;

  before(async () => {
    system = await startSystem({
      env: {
        MAX_BODY_BYTES: '1100',
        MAX_HEADER_BYTES: '4096',
        MAX_SEARCHED_BYTES: '4096',
        MAX_FILLED_BYTES: '1024',
        MAX_TOKEN_BODY_BYTES: '1100',
        MAX_TRANSFORMED_BYTES: '1024',
        MAX_REACT_BODY_BYTES: '1024',
      },
    });
    api = apiOf(system);
    destination = await startDestination();
  });
  after(async () => {
    await destination[Symbol.asyncDispose]();
    await system[Symbol.asyncDispose]();
  });

  const expectRefusal = async (status: number, path: string, sent: Sent) => {
    const before = destination.received.length;
    const { private_api_key: key } = system.dev;
    const answer = await api.send('POST', path, { key, ...sent });
    expect(answer.status, `${path} ${answer.text}`).to.equal(status);
    expect((answer.json.proxy_error ?? answer.json).status).to.equal(status);
    expect(destination.received).to.have.length(before);
  };

  it('hold for requests to each part of the API, and what is within them is taken', async () => {
    await api.token({ type: 'token', data: 'x'.repeat(1000) });
    const key = system.dev.management_api_key;
    await expectRefusal(413, '/proxies', { key, body: { name: kibibyte, code: kibibyte } });
    const larger = { data: `${kibibyte}${kibibyte}` };
    for (const path of [
      '/tokens',
      '/tokenize',
      '/detokenize',
      '/token-intents',
      '/keys',
      '/sessions/authorize',
    ])
      await expectRefusal(413, path, { body: larger });
    const reactor = await api.manage('POST', '/reactors', { name: 'r', code });
    await expectRefusal(413, `/reactors/${reactor.json.id}/react`, { body: { args: { a: kibibyte } } });
  });

  it('hold for a body that is transformed, one with an expression, and one with the values in it', async () => {
    const id = await api.token({ type: 'token', data: 'x'.repeat(1000) });
    const transforming = await api.proxy(destination.url, { request_transform: { code } });
    const plain = await api.proxy(destination.url);
    const to = ({ key }: { key: string }) => ({ 'SVC-PROXY-KEY': key });
    await expectRefusal(413, '/proxy', { headers: to(transforming), body: { a: kibibyte } });
    await expectRefusal(413, '/proxy', {
      headers: to(plain),
      body: { a: `{{ ${id} }}${kibibyte}${kibibyte}${kibibyte}${kibibyte}` },
    });
    await expectRefusal(413, '/proxy', { headers: to(plain), body: { a: `{{ ${id} }}`, b: `{{ ${id} }}` } });
    expect((await api.invoke(plain.key, 'POST', '', { body: { a: `{{ ${id} }}` } })).status).to.equal(200);
  });

  it('hold for headers', async () => {
    const { key } = await api.proxy(destination.url);
    const answer = await api.invoke(key, 'GET', '', { headers: { 'X-Long': kibibyte.repeat(5) } });
    expect(answer.status, answer.text).to.equal(431);
  });
});
