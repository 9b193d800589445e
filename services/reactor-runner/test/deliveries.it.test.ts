import { randomUUID } from 'node:crypto';

import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { deliveryStory, newSecret, sealed } from './delivery-story.ts';
import { type Received, isSigned } from './receiver.ts';
import { startTestRunner } from './runner.ts';
import { until } from './until.ts';

const canary = 'canary-4111111111111111';

/** An event as a webhook receives it. */
interface WebhookBody {
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly timestamp: string;
    readonly data: {
      readonly request: object;
      readonly error?: string;
      readonly actor: { readonly type: string };
    };
  };
  readonly delivered_at: string;
}

/** contract/webhooks.md#deliveries. */
describe('events that are sent to webhooks', () => {
  const story = deliveryStory();
  const { endpoint, react, reactAsync, told, logged } = story;
  const bodyOf = ({ text }: Received) => JSON.parse(text) as WebhookBody;
  const typesOf = () => story.receiver.received.map((one) => bodyOf(one).event.type).toSorted();

  it('report a synchronous invocation, signed for receivers who know the secret, with nothing of what it held', async () => {
    const secret = newSecret();
    await story.publisher.webhooks(story.tenant, [endpoint(secret)]);
    const id = await story.publisher.reactor(story.tenant, 'module.exports = ({ args }) => ({ raw: args })', {
      name: 'charge',
    });
    await react(id, { args: { pan: canary } });
    await told(2);
    expect(typesOf()).to.deep.equal(['reactor.completed', 'reactor.invoked']);
    for (const one of story.receiver.received) {
      expect(isSigned(secret, one)).to.equal(true);
      expect(isSigned(newSecret(), one)).to.equal(false);
      expect(isSigned(secret, { ...one, text: `${one.text} ` })).to.equal(false);
      expect(one.text).to.not.contain(canary);
      const { event, delivered_at: at } = bodyOf(one);
      expect(event.data).to.deep.include({
        reactor: { id, name: 'charge' },
        request: { invocation_type: 'sync' },
      });
      expect(event.data.actor.type).to.equal('application');
      expect(event).to.include({ tenant_id: story.tenant, trace_id: 'correlation-1' });
      expect(one.headers['svc-webhook-id']).to.equal(event.id);
      expect(Date.parse(at)).to.be.at.least(Date.parse(event.timestamp));
      expect('elapsed_ms' in event.data).to.equal(event.type !== 'reactor.invoked');
    }
  });

  it('report an asynchronous invocation, and one that fails by its status alone', async () => {
    await story.publisher.webhooks(story.tenant, [endpoint(newSecret())]);
    const good = await story.publisher.reactor(story.tenant, 'module.exports = () => ({ raw: 1 })');
    const request = await reactAsync(good);
    await told(2);
    expect(typesOf()).to.deep.equal(['reactor.completed', 'reactor.invoked']);
    for (const one of story.receiver.received) {
      const { data } = bodyOf(one).event;
      expect(data.request).to.deep.equal({ id: request, invocation_type: 'async' });
    }
    story.receiver.received.length = 0;
    const throwing = [
      `throw new Error('${canary}')`,
      `throw { name: 'RateLimitError', status: 429, errors: { a: ['${canary}'] } }`,
    ];
    for (const code of throwing) {
      const bad = await story.publisher.reactor(story.tenant, `module.exports = () => { ${code} }`);
      await reactAsync(bad);
      await react(bad).catch(() => undefined);
    }
    // One may arrive twice.
    const events = () =>
      new Map(story.receiver.received.map((one) => [bodyOf(one).event.id, bodyOf(one).event]));
    await until('all came', () => events().size === 8);
    const failed = [...events().values()].filter(({ type }) => type === 'reactor.failed');
    expect(failed.map(({ data }) => data.error)).to.have.members([
      'Reactor Runtime Error',
      'Reactor Runtime Error',
      'Too Many Requests',
      'Too Many Requests',
    ]);
    expect(JSON.stringify(story.receiver.received)).to.not.contain(canary);
  });

  it('are made again with the same id until they are acknowledged, each signed anew', async () => {
    const secret = newSecret();
    await story.publisher.webhooks(story.tenant, [endpoint(secret, { events: ['reactor.completed'] })]);
    const answers = [500, 302];
    story.receiver.answer = (response) => {
      response.writeHead(answers.shift() ?? 200, { Location: `${story.receiver.url}/elsewhere` });
      response.end('x'.repeat(1_000_000));
    };
    await react(await story.publisher.reactor(story.tenant, 'module.exports = () => ({})'));
    await told(3);
    expect(new Set(story.receiver.received.map(({ headers }) => headers['svc-webhook-id'])).size).to.equal(1);
    expect(new Set(story.receiver.received.map(({ path }) => path))).to.deep.equal(new Set(['/hook']));
    expect(story.receiver.received.every((one) => isSigned(secret, one))).to.equal(true);
  });

  it('are given up after the last attempt, and metrics count that', async () => {
    const hook = endpoint(newSecret(), { events: ['reactor.completed'] });
    await story.publisher.webhooks(story.tenant, [hook]);
    story.receiver.answer = (response) => response.writeHead(503).end();
    await react(await story.publisher.reactor(story.tenant, 'module.exports = () => ({})'));
    await logged(new RegExp(`${hook.id}.*"reason":"status 503","attempt":4,"isLast":true`));
    expect(story.receiver.received).to.have.length(4);
    const metrics = await (await fetch(`http://127.0.0.1:${story.runner.metricsPort}/metrics`)).text();
    expect(metrics).to.match(
      /glovebox_runner_delivery_attempts_total\{kind="event",outcome="given_up".*\} [1-9]/,
    );
    const left = await story.publisher.redis.keys(`${story.publisher.prefix}:bull:deliveries:*${hook.id}*`);
    expect(left).to.deep.equal([]);
    expect(
      await story.publisher.redis.zcard(`${story.publisher.prefix}:deliveries:open:${hook.id}`),
    ).to.equal(0);
  });

  it('are signed with the secret before as well, until that ends', async () => {
    const [old, ended, fresh] = [newSecret(), newSecret(), newSecret()];
    const hook = endpoint(fresh, { events: ['reactor.completed'] });
    const secrets = [
      sealed(story.tenant, hook.id, fresh, 3),
      sealed(story.tenant, hook.id, old, 2, Date.now() + 60_000),
      sealed(story.tenant, hook.id, ended, 1, Date.now() - 1),
    ];
    await story.publisher.webhooks(story.tenant, [{ ...hook, secrets }]);
    await react(await story.publisher.reactor(story.tenant, 'module.exports = () => ({})'));
    await told(1);
    const [one] = story.receiver.received as [Received];
    expect([fresh, old, ended].map((secret) => isSigned(secret, one))).to.deep.equal([true, true, false]);
  });

  it('go to the tenant’s own endpoints that subscribe to them, and not to deleted ones', async () => {
    const stranger = randomUUID();
    await story.publisher.webhooks(stranger, [
      endpoint(newSecret(), { url: `${story.receiver.url}/stranger` }, stranger),
    ]);
    const hook = endpoint(newSecret(), { events: ['reactor.failed'], url: `${story.receiver.url}/failed` });
    await story.publisher.webhooks(story.tenant, [hook]);
    const good = await story.publisher.reactor(story.tenant, 'module.exports = () => ({})');
    const bad = await story.publisher.reactor(story.tenant, 'module.exports = 1');
    await react(good);
    story.receiver.answer = (response) => {
      void story.publisher.webhooks(story.tenant, []).then(() => response.writeHead(500).end());
    };
    await react(bad).catch(() => undefined);
    await told(1);
    await until('it is withdrawn', async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${story.runner.metricsPort}/metrics`)).text();
      return /attempts_total\{kind="event",outcome="withdrawn".*\} [1-9]/.test(metrics);
    });
    expect(story.receiver.received.map(({ path }) => path)).to.deep.equal(['/failed']);
  });

  it('reach no address that the policy closes, and none of the platform itself', async () => {
    const urls = [story.closed.url, 'https://10.0.0.1/x', 'http://169.254.169.254/latest'];
    const hooks = urls.map((url) => endpoint(newSecret(), { url, events: ['reactor.completed'] }));
    await story.publisher.webhooks(story.tenant, hooks);
    await react(await story.publisher.reactor(story.tenant, 'module.exports = () => ({})'));
    for (const { id } of hooks) await logged(new RegExp(`${id}.*"reason":"denied"`));
    expect(story.closed.received).to.have.length(0);
  });

  it('of an endpoint that does not answer do not hold up those of another', async () => {
    const dead = endpoint(newSecret(), { url: `${story.receiver.url}/dead`, events: ['reactor.completed'] });
    await story.publisher.webhooks(story.tenant, [
      dead,
      endpoint(newSecret(), { events: ['reactor.completed'] }),
    ]);
    story.receiver.answer = (response, { path }) => {
      if (path !== '/dead') response.writeHead(200).end();
    };
    const id = await story.publisher.reactor(story.tenant, 'module.exports = () => ({})');
    await Promise.all(Array.from({ length: 16 }, () => react(id)));
    const cameTo = (path: string) => story.receiver.received.filter((one) => one.path === path).length;
    await until('all came', () => cameTo('/hook') === 16);
    expect(cameTo('/dead')).to.be.below(16);
  });

  it('that are under way do not hold up the end of a runner, which leaves them to another one', async () => {
    const { publisher, tenant, receiver } = story;
    await publisher.webhooks(tenant, [endpoint(newSecret(), { events: ['reactor.completed'] })]);
    receiver.answer = () => undefined;
    const { runner } = story;
    story.runner = await startTestRunner({
      redis: publisher.connection,
      vaultAddress: story.vault.address,
      deliveries: { timeoutMs: 60_000 },
    });
    await runner[Symbol.asyncDispose]();
    await react(await publisher.reactor(tenant, 'module.exports = () => ({})'));
    await told(1);
    const ending = story.runner[Symbol.asyncDispose]();
    receiver.answer = (response) => response.writeHead(200).end();
    await ending;
    story.runner = await startTestRunner({
      redis: publisher.connection,
      vaultAddress: story.vault.address,
    });
    await told(2);
    const ids = new Set(receiver.received.map(({ headers }) => headers['svc-webhook-id']));
    expect(ids.size).to.equal(1);
  });

  it('wait while the vault is away, without an attempt that counts', async () => {
    await story.publisher.webhooks(story.tenant, [endpoint(newSecret(), { events: ['reactor.invoked'] })]);
    const id = await story.publisher.reactor(story.tenant, 'module.exports = () => ({})');
    await react(id);
    await told(1);
    story.vault.openFailure = new AppError('unavailable', 'away');
    await react(id);
    await logged(/could not be made yet/);
    story.vault.openFailure = undefined;
    await told(2);
  });

  it('fail as often as any attempt when their secret does not authenticate, and the log says so', async () => {
    const hook = endpoint(newSecret(), { events: ['reactor.invoked'] });
    const { secrets: ofAnother } = endpoint(newSecret());
    await story.publisher.webhooks(story.tenant, [{ ...hook, secrets: ofAnother }]);
    await react(await story.publisher.reactor(story.tenant, 'module.exports = () => ({})'));
    await logged(/"reason":"integrity_violation","attempt":1,.*"msg":"delivery failed"/);
    expect(story.receiver.received).to.deep.equal([]);
    await story.publisher.webhooks(story.tenant, [hook]);
    await told(1);
  });
});
