import { Glovebox, type GloveboxApiError } from '@glovebox/sdk/glovebox';
import { expect } from 'chai';

import { type Reply, type TestServer, startServer } from './server.ts';

describe('a call is made again', () => {
  let server: TestServer;
  let client: Glovebox;
  beforeEach(async () => {
    server = await startServer();
    client = await new Glovebox().init('key_1', { apiBaseUrl: server.url });
  });
  afterEach(() => server[Symbol.asyncDispose]());

  /** `Retry-After: 0` so that nobody waits. */
  const failing = (status: number, times: number, more: Partial<Reply> = {}) => {
    server.answer = (_request, n) =>
      n < times
        ? { status, headers: { 'Retry-After': '0' }, body: {}, ...more }
        : { body: { tenant_id: 't' } };
  };
  const statusOf = async (call: Promise<unknown>) =>
    call.then(
      () => 200,
      (error: GloveboxApiError) => error.status,
    );

  for (const status of [408, 429, 500, 502, 503]) {
    it(`after ${status}, until it works`, async () => {
      failing(status, 2);
      expect(await client.tokens.retrieve('a')).to.deep.equal({ tenantId: 't' });
      expect(server.received).to.have.length(3);
    });
  }

  it('twice at the most', async () => {
    failing(503, 10);
    expect(await statusOf(client.tokens.retrieve('a'))).to.equal(503);
    expect(server.received).to.have.length(3);
  });

  it('not after what a repetition would not change', async () => {
    for (const status of [400, 401, 403, 404, 409, 422]) {
      failing(status, 100);
      expect(await statusOf(client.tokens.retrieve('a'))).to.equal(status);
    }
    expect(server.received).to.have.length(6);
  });

  it('if its method allows it, or its idempotency key', async () => {
    const idempotencyKey = 'once';
    const attempts = async (call: () => Promise<unknown>) => {
      failing(503, 100);
      const before = server.received.length;
      await statusOf(call());
      return server.received.length - before;
    };
    expect(await attempts(() => client.tokens.delete('a'))).to.equal(3);
    expect(await attempts(() => client.tenants.update({ name: 'n' }))).to.equal(3);
    expect(await attempts(() => client.tokens.create({ type: 'token', data: 1 }))).to.equal(1);
    // The first attempt may have made another version.
    expect(await attempts(() => client.proxies.delete('p', { ifMatch: 3 }))).to.equal(1);
    expect(await attempts(() => client.proxies.delete('p', { ifMatch: 3, idempotencyKey }))).to.equal(3);
    expect(await attempts(() => client.tokenize(1))).to.equal(1);
    expect(await attempts(() => client.reactors.react('r'))).to.equal(1);
    expect(await attempts(() => client.tokens.update('a', {}))).to.equal(1);
    expect(await attempts(() => client.tokenize(1, { idempotencyKey }))).to.equal(3);
    expect(await attempts(() => client.tokens.update('a', {}, { idempotencyKey }))).to.equal(3);
    expect(await attempts(() => client.reactors.react('r', {}, { idempotencyKey }))).to.equal(1);
  });

  it('never through a proxy, where the destination answers', async () => {
    failing(503, 100);
    for (const method of ['get', 'put', 'delete', 'post'] as const) {
      await statusOf(client.proxy[method]({ path: 'x', idempotencyKey: 'k' }));
      await statusOf(client.proxy[method]());
    }
    expect(server.received).to.have.length(8);
  });

  it('when there was no answer', async () => {
    const url = server.url;
    await server[Symbol.asyncDispose]();
    let attempts = 0;
    const counting = await new Glovebox().init('key_1', {
      apiBaseUrl: url,
      maxRetries: 1,
      fetch: (target, init) => {
        attempts += 1;
        return fetch(target, init);
      },
    });
    expect(await statusOf(counting.tokens.retrieve('a'))).to.equal(-1);
    expect(attempts).to.equal(2);
  });

  it('after the time that the server asks for, in seconds or as a date', async () => {
    const date = new Date(Date.now() + 2000);
    for (const asked of ['1', date.toUTCString()]) {
      server.received.length = 0;
      failing(429, 1, { headers: { 'Retry-After': asked } });
      const startedAt = performance.now();
      await client.tokens.retrieve('a');
      // A date has whole seconds.
      expect(performance.now() - startedAt).to.be.within(asked === '1' ? 990 : 0, 3000);
      expect(server.received).to.have.length(2);
    }
  });

  it('not when the server asks for more than half a minute', async () => {
    failing(429, 1, { headers: { 'Retry-After': '31' } });
    expect(await statusOf(client.tokens.retrieve('a'))).to.equal(429);
  });
});
