import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { type Answer, type Stage, startStage } from './stage.ts';
import { until } from './until.ts';

const code = 'module.exports = async (req) => req.args';
const detokenized = (...values: string[]) => ({
  $case: 'detokenized' as const,
  value: { values, unselectedPaths: [], readable: [] },
});
const returned = (result: unknown) => ({
  $case: 'returned' as const,
  value: { result: Buffer.from(JSON.stringify(result)) },
});
const never = () => new Promise<never>(() => undefined);

describe('a proxied request', () => {
  let redis: RunningRedis;
  let shared: Stage;
  let stage: Stage;

  const start = () => startStage(redis.url, { VAULT_TIMEOUT_MS: '1000', RUNNER_TIMEOUT_MS: '1000' });

  before(async () => {
    redis = await startRedis({ ephemeral: true });
    shared = await start();
  });

  beforeEach(() => {
    stage = shared;
    for (const seen of [stage.delivered, stage.vault.calls, stage.runner.calls]) seen.length = 0;
    stage.vault.answer = () => detokenized('"4242"');
    stage.runner.answer = () => returned({ body: 'of the code', headers: {} });
  });

  after(async () => {
    await shared[Symbol.asyncDispose]();
    await redis.stop();
  });

  /** The destination got nothing of it, and the client an error of the proxy's. */
  function expectUndelivered({ status, body }: Answer, expected: number): void {
    expect(status, body).to.equal(expected);
    expect(JSON.parse(body)).to.have.nested.property('proxy_error.status', expected);
    expect(stage.delivered).to.deep.equal([]);
  }

  it('gives a customer the same version of a rollout as any other gateway, when one of them ends too', async () => {
    const { getsSecond } = await stage.rollOut();
    const customers = Array.from({ length: 60 }, (_, n) => `customer ${n}`);
    const choices = (gateway: Stage['gateway']) =>
      Promise.all(customers.map((customer) => getsSecond(gateway, customer)));
    const chosen = await choices(stage.gateway);
    expect(new Set(chosen)).to.deep.equal(new Set([true, false]));
    {
      await using other = await stage.another();
      expect(await choices(other)).to.deep.equal(chosen);
    }
    expect(await choices(stage.gateway)).to.deep.equal(chosen);
    await using later = await stage.another();
    expect(await choices(later)).to.deep.equal(chosen);
  });

  it('asks the vault once for all of its expressions, and never evaluates what a value holds', async () => {
    stage.vault.answer = () => detokenized('"{{ 2 }}"', '"b"');
    const { status } = await stage.send({}, { body: '["{{ 1 }}","{{ 3 }}"]' });
    expect(status).to.equal(200);
    expect(stage.vault.calls).to.have.length(1);
    expect(stage.delivered).to.deep.equal(['["{{ 2 }}","b"]']);
  });

  it('is not sent without the client key of its proxy, which only the vault can open', async () => {
    const destinationTls = {
      destinationUrl: 'https://localhost:9',
      clientCertificate: 'certificate',
      sealedClientKey: Buffer.from('sealed'),
      ca: '',
      pins: [],
    };
    expectUndelivered(await stage.send({ destinationTls }), 500);
  });

  describe('to a destination that fails', () => {
    let behaviour: 'breaks' | 'fails' | 'answers';
    let arrived: number;
    let destination: Server;
    let destinationUrl: string;
    const again = (requests: number, send: () => Promise<Answer>) =>
      Promise.all(Array.from({ length: requests }, send));

    beforeEach(async () => {
      behaviour = 'breaks';
      arrived = 0;
      destination = createServer(({ socket }, response) => {
        arrived += 1;
        if (behaviour === 'breaks') socket.destroy();
        else response.writeHead(behaviour === 'fails' ? 500 : 200).end();
      });
      await once(destination.listen(0, '127.0.0.1'), 'listening');
      destinationUrl = `http://127.0.0.1:${(destination.address() as AddressInfo).port}`;
    });

    afterEach(() => destination.close().closeAllConnections());

    it('is refused without a token being used, until the destination answers', async () => {
      for (const { status } of await again(10, () => stage.send({ destinationUrl })))
        expect(status).to.equal(502);
      for (const seen of [stage.delivered, stage.vault.calls]) seen.length = 0;
      const refused = await stage.send({ destinationUrl });
      expectUndelivered(refused, 503);
      expect(JSON.parse(refused.body)).to.have.nested.property(
        'proxy_error.code',
        'destination_circuit_open',
      );
      expect(refused.headers).to.have.property('retry-after', '1');
      expect([arrived, stage.vault.calls.length]).to.deep.equal([10, 0]);
      expect((await stage.send({})).status, 'another destination').to.equal(200);
      behaviour = 'answers';
      await until('a probe has passed', async () => (await stage.send({ destinationUrl })).status === 200);
    });

    it('goes on where the destination answers with errors of its own', async () => {
      behaviour = 'fails';
      for (const { status } of await again(12, () => stage.send({ destinationUrl })))
        expect(status).to.equal(500);
      expect(arrived).to.equal(12);
    });

    it('goes on for those with a key, whatever strangers have caused', async () => {
      const strange = { anonymous: true, body: '{}' };
      await again(11, () => stage.send({ destinationUrl, requireAuth: false }, strange));
      expect((await stage.send({ destinationUrl, requireAuth: false }, strange)).status).to.equal(503);
      behaviour = 'answers';
      expect((await stage.send({ destinationUrl })).status).to.equal(200);
    });

    it('is sent once, also on a connection that the destination has kept and then closes', async () => {
      behaviour = 'answers';
      await stage.send({ destinationUrl });
      behaviour = 'breaks';
      const { status } = await stage.send({ destinationUrl });
      expect([status, arrived]).to.deep.equal([502, 2]);
    });
  });

  it('is refused while the gateway is late, and one that was accepted before is finished', async () => {
    let finish: (() => void) | undefined;
    const slow = createServer((_request, response) => {
      finish = () => response.end();
    });
    await once(slow.listen(0, '127.0.0.1'), 'listening');
    const destinationUrl = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const accepted = stage.send({ destinationUrl });
    await until('the first one is on its way', () => finish !== undefined);
    let refused: Answer | undefined;
    await until('the gateway refuses', async () => {
      // Late turns have to be more than the quick ones of the request itself.
      for (let turns = 4; turns > 0; turns -= 1) {
        const blockedUntil = performance.now() + 600;
        while (performance.now() < blockedUntil);
        await new Promise((resolve) => setTimeout(resolve));
      }
      refused = await stage.send({}, { body: '{}' });
      return refused.status === 503;
    });
    expect(refused?.headers).to.have.property('retry-after', '1');
    expect(refused?.body).to.contain('too much to do');
    finish?.();
    expect((await accepted).status).to.equal(200);
    slow.close().closeAllConnections();
    await until(
      'the gateway serves again',
      async () => (await stage.send({}, { body: '{}' })).status === 200,
    );
  });

  describe('of a tenant with an egress policy', () => {
    const elsewhere = { patterns: ['api.example.com'] };
    afterEach(() => stage.setPolicy(undefined));

    /** Sends until the gateway has noticed the policy. */
    const sendUnder = async (expected: number, sent?: Parameters<Stage['send']>[1]): Promise<Answer> => {
      let answer = await stage.send({ requireAuth: sent?.anonymous !== true }, sent);
      await until(`the answer is a ${expected}`, async () => {
        if (answer.status === expected) return true;
        for (const seen of [stage.delivered, stage.vault.calls]) seen.length = 0;
        answer = await stage.send({ requireAuth: sent?.anonymous !== true }, sent);
        return false;
      });
      return answer;
    };

    it('is refused before anything is detokenized or sent, where the policy is enforced', async () => {
      await stage.setPolicy({ mode: 'enforce', destinations: elsewhere, ephemeral: true });
      const answer = await sendUnder(403);
      expectUndelivered(answer, 403);
      expect(stage.vault.calls).to.have.length(0);
      const { proxy_error } = JSON.parse(answer.body) as { proxy_error: Record<string, unknown> };
      expect(proxy_error['code']).to.equal('destination_not_allowed');
      expect(proxy_error['detail']).to.match(/does not allow requests to 127\.0\.0\.1:\d+\.$/);
      const anonymous = await sendUnder(403, { body: '{}', anonymous: true });
      expect(anonymous.body).to.contain('the destination of this proxy').and.not.contain('127.0.0.1');
    });

    it('is served where the policy reports or is off', async () => {
      for (const mode of ['report', 'off']) {
        await stage.setPolicy({ mode, destinations: elsewhere, ephemeral: false });
        expect((await sendUnder(200)).status).to.equal(200);
      }
    });

    it('names its destination itself only where the policy lets it', async () => {
      await stage.setPolicy({ mode: 'enforce', destinations: elsewhere, ephemeral: false });
      await sendUnder(403);
      const { body } = await stage.sendEphemeral('https://api.example.com');
      expect(body).to.contain('does not allow proxies by the header SVC-PROXY-URL');
      expect(stage.vault.calls).to.have.length(0);
    });
  });

  it('without a key is forwarded by a proxy that allows it, and uses no token', async () => {
    const anonymous = { requireAuth: false };
    const plain = await stage.send(anonymous, { body: '{"a":1}', anonymous: true });
    expect(plain.status).to.equal(200);
    expect(stage.delivered.splice(0)).to.deep.equal(['{"a":1}']);
    expectUndelivered(await stage.send(anonymous, { anonymous: true }), 401);
    expect(stage.vault.calls).to.have.length(0);
  });

  describe('is not sent when the vault', () => {
    it('is away; plain requests go on', async () => {
      await using own = (stage = await start());
      await own.vault[Symbol.asyncDispose]();
      expectUndelivered(await stage.send({}), 503);
      expect(await stage.send({}, { body: '{}' })).to.include({ status: 200 });
    });

    it('breaks the stream during the call, and the next request opens another', async () => {
      stage.vault.answer = () => (stage.vault.cut(), never());
      expectUndelivered(await stage.send({}), 503);
      stage.vault.answer = () => detokenized('"4242"');
      await until('the vault can be asked again', async () => (await stage.send({})).status === 200);
      expect(stage.delivered).to.deep.equal(['{"pan":"4242"}']);
    });

    it('answers too late: the call is cancelled, and its answer reaches nobody', async () => {
      const late = Promise.withResolvers<void>();
      stage.vault.answer = () => late.promise.then(() => detokenized('"late"'));
      expectUndelivered(await stage.send({}), 503);
      await until('the call is cancelled', () => stage.vault.calls[0]?.cancelled === true);
      late.resolve();
      stage.vault.answer = () => detokenized('"4242"');
      await stage.send({});
      expect(stage.delivered).to.deep.equal(['{"pan":"4242"}']);
    });

    it('answers fewer values than it was asked for', async () => {
      expectUndelivered(await stage.send({}, { body: '["{{ 1 }}","{{ 2 }}"]' }), 500);
    });

    it('answers something else than values', async () => {
      stage.vault.answer = () => ({ $case: 'done', value: {} });
      expectUndelivered(await stage.send({}), 500);
    });

    it('refuses it, while another request of the same frame of replies gets its value', async () => {
      const both = Promise.withResolvers<void>();
      stage.vault.answer = async ({ call }) => {
        if (stage.vault.calls.length === 2) both.resolve();
        await both.promise;
        const [text] = call.operation?.$case === 'detokenize' ? call.operation.value.expressions : [];
        if (text === 'refused') throw new AppError('permission_denied', 'No rule allows it.');
        return detokenized('"4242"');
      };
      const [refused, allowed] = await Promise.all(
        ['{{ refused }}', '{{ 1 }}'].map((text) => stage.send({}, { body: JSON.stringify([text]) })),
      );
      expect(refused).to.include({ status: 403 });
      expect(allowed).to.include({ status: 200 });
      expect(stage.delivered).to.deep.equal(['["4242"]']);
    });

    it('is being asked while the client goes away: the call is cancelled', async () => {
      stage.vault.answer = never;
      const gone = new AbortController();
      const sent = stage.send({}, { signal: gone.signal }).catch((error: Error) => error.name);
      await until('the vault is asked', () => stage.vault.calls.length === 1);
      gone.abort();
      expect(await sent).to.equal('AbortError');
      await until('the call is cancelled', () => stage.vault.calls[0]?.cancelled === true);
      expect(stage.delivered).to.deep.equal([]);
    });
  });

  describe('with a request transform is not sent when', () => {
    const proxy = { requestTransformCode: code };

    it('the runner is away', async () => {
      await using own = (stage = await start());
      own.vault.answer = () => detokenized('"4242"');
      await own.runner[Symbol.asyncDispose]();
      expectUndelivered(await stage.send(proxy), 503);
    });

    it('the runner does not answer in time', async () => {
      stage.runner.answer = never;
      expectUndelivered(await stage.send(proxy), 503);
      await until('the call is cancelled', () => stage.runner.calls[0]?.cancelled === true);
    });

    it('the runner answers after the client has left', async () => {
      const late = Promise.withResolvers<void>();
      stage.runner.answer = () => late.promise.then(() => returned({ body: 'late', headers: {} }));
      const gone = new AbortController();
      const sent = stage.send(proxy, { signal: gone.signal }).catch((error: Error) => error.name);
      await until('the runner is asked', () => stage.runner.calls.length === 1);
      gone.abort();
      expect(await sent).to.equal('AbortError');
      late.resolve();
      stage.runner.answer = () => returned({ body: 'of the next', headers: {} });
      expect(await stage.send(proxy)).to.include({ status: 200 });
      expect(stage.delivered).to.deep.equal(['of the next']);
    });

    it('its code returns a header that HTTP cannot carry, whose value no error shows', async () => {
      stage.runner.answer = () => returned({ body: {}, headers: { 'X-Note': 'secret\r\nX-Injected: 1' } });
      const answer = await stage.send(proxy);
      expectUndelivered(answer, 500);
      expect(answer.body).to.contain('characters that HTTP cannot carry').and.not.contain('secret');
    });

    it('it names an idempotency key and the runner was not heard of again: it is never repeated', async () => {
      stage.vault.answer = ({ call }) =>
        call.operation?.$case === 'detokenize' ? detokenized('"4242"') : undefined;
      stage.runner.answer = never;
      const headers = { 'SVC-IDEMPOTENCY-KEY': 'once' };
      expectUndelivered(await stage.send(proxy, { headers }), 503);
      stage.runner.answer = () => returned({ body: 'again', headers: {} });
      expectUndelivered(await stage.send(proxy, { headers }), 409);
      expect(stage.runner.calls).to.have.length(1);
    });
  });

  describe('with a response transform shows nothing of the response when', () => {
    const proxy = { responseTransformCode: code };

    async function expectHidden(expected: number): Promise<void> {
      const { status, body } = await stage.send(proxy);
      expect(status, body).to.equal(expected);
      expect(body).to.not.contain('done');
      expect(stage.delivered).to.have.length(1);
    }

    it('the stream to the runner breaks', async () => {
      stage.runner.answer = () => (stage.runner.cut(), never());
      await expectHidden(503);
    });

    it('the code returns what no message can hold', async () => {
      stage.runner.answer = () => returned({ body: {}, headers: { 'not a name': '1' } });
      await expectHidden(500);
    });
  });

  it('ends with its answer when the gateway gets SIGTERM, and none begins after it', async () => {
    await using own = (stage = await start());
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    stage.vault.answer = () => (asked.resolve(), answered.promise.then(() => detokenized('"4242"')));
    const sent = stage.send({});
    await asked.promise;
    const stopped = own.gateway[Symbol.asyncDispose]();
    await until('the gateway no longer listens', () =>
      stage.send({}, { body: '{}' }).then(
        () => false,
        ({ code: reason }: NodeJS.ErrnoException) => reason === 'ECONNREFUSED',
      ),
    );
    stage.delivered.length = 0;
    answered.resolve();
    expect(await sent).to.include({ status: 200, body: '"done"' });
    await stopped;
    expect(stage.delivered).to.deep.equal(['{"pan":"4242"}']);
  });
});
