import { expect } from 'chai';

import { type Answer, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { createReactor } from '../harness/reactor-story.ts';
import { type System, sharedSystem } from '../harness/system.ts';

/** Each stage with its milliseconds. */
function timingOf({ headers }: Answer): Map<string, number> {
  const text = String(headers['server-timing']);
  return new Map(
    text.split(', ').map((entry) => {
      const [, stage = '', ms = ''] = /^([a-z]+);dur=(\d+\.\d\d)$/.exec(entry) ?? [];
      return [stage, Number(ms)];
    }),
  );
}

describe('the header Server-Timing', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;
  before(async () => {
    system = await sharedSystem();
    api = apiOf(system);
    destination = await startDestination();
  });
  after(() => destination[Symbol.asyncDispose]());

  it('says where the time of a proxied request went, beside what the destination says of its own', async () => {
    const id = await api.token({ type: 'token', data: 'x' });
    const code = 'module.exports = async (req) => req.args;';
    const { key } = await api.proxy(destination.url, { request_transform: { code } });
    destination.answer = (_received, response) => {
      setTimeout(() => response.setHeader('X-Own', '1').end('{}'), 30);
    };
    const begun = performance.now();
    const answer = await api.invoke(key, 'POST', '', { body: { a: `{{ ${id} }}` } });
    const took = performance.now() - begun;
    const timing = timingOf(answer);
    expect([...timing.keys()]).to.deep.equal([
      ...['auth', 'receive', 'vault', 'transform', 'destination', 'own'],
    ]);
    expect(timing.get('destination')).to.be.at.least(29);
    for (const stage of ['vault', 'transform']) expect(timing.get(stage)).to.be.greaterThan(0);
    expect([...timing.values()].reduce((sum, ms) => sum + ms, 0)).to.be.at.most(took);
  });

  it('is on answers of the service itself, too', async () => {
    const key = system.dev.private_api_key;
    const made = await api.send('POST', '/tokens', { key, body: { type: 'token', data: 1 } });
    expect([...timingOf(made).keys()]).to.deep.equal(['auth', 'receive', 'vault', 'own']);
    const refused = await api.send('GET', '/tokens/abc', { key: 'key_1111111111111111111111' });
    expect([...timingOf(refused).keys()]).to.deep.equal(['auth', 'own']);
  });

  it('says how long a reactor took', async () => {
    const { id } = await createReactor(api, 'async () => ({ raw: 1 })');
    const answer = await api.send('POST', `/reactors/${id}/react`, {
      key: system.dev.private_api_key,
      body: { args: {} },
    });
    expect([...timingOf(answer).keys()]).to.deep.equal(['auth', 'receive', 'reactor', 'own']);
  });
});
