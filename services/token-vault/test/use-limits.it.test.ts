import type { UseLimits } from '@glovebox/protos/published/v1/published';
import { UsePurpose } from '@glovebox/protos/vault/v1/vault';
import { EventInbox } from '@glovebox/published/event-inbox';
import { redisNames } from '@glovebox/published/keys';
import { expect } from 'chai';

import { until } from '../../../test/harness/until.ts';
import { codeOf, failureOf } from './harness/failure.ts';
import { type AnotherVault, Fixture, ownerRule } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';
import { sharedRedis } from './harness/servers.ts';
import { TcpRelay } from './harness/tcp-relay.ts';

const none = { usesPerHour: 0, distinctTokensPerHour: 0 };
const detokenize = { purpose: UsePurpose.USE_PURPOSE_DETOKENIZE };

/** (contract/tenants.md#use-limits) */
describe('limits on the use of tokens', () => {
  let fixture: Fixture;
  let other: AnotherVault;
  let ids: string[];
  before(async () => {
    fixture = await Fixture.start();
    other = await fixture.anotherVault();
    ids = await Promise.all(Array.from({ length: 12 }, (_, i) => fixture.token(i)));
  });
  after(async () => {
    await other[Symbol.asyncDispose]();
    await fixture[Symbol.asyncDispose]();
  });

  const limited = (limits: Partial<UseLimits>, more: object = {}) =>
    fixture.publisher.application({
      tenantId: fixture.tenantId,
      rules: [ownerRule],
      limits: { ...none, ...limits },
      ...more,
    });
  const use = (by: TestApplication, ...tokens: readonly (string | undefined)[]) =>
    fixture.gateway.use(
      by,
      tokens.map((id) => id ?? ''),
    );
  const names = () => redisNames(fixture.publisher.prefix);

  it('let through exactly as many uses as they allow, whichever of two vaults is asked, all at once', async () => {
    const caller = await limited({ usesPerHour: 50 });
    const outcomes = await Promise.all(
      Array.from({ length: 90 }, (_, i) => {
        const vault = i % 2 === 0 ? fixture : other;
        return codeOf(vault.gateway.use(caller, [ids[i % 12] ?? '']));
      }),
    );
    expect(outcomes.filter((code) => code === 'ok')).to.have.length(50);
    expect(outcomes.filter((code) => code === 'use_limit')).to.have.length(40);
    const rows = await fixture.audit(caller);
    expect(rows.filter(({ outcome }) => outcome === 'allowed')).to.have.length(50);
    expect(
      rows.filter(({ outcome, reason }) => outcome === 'denied' && reason === 'use_limit'),
    ).to.have.length(40);
  });

  it('count each token of a request, and refuse a request that does not fit as a whole', async () => {
    const caller = await limited({ usesPerHour: 5 });
    await use(caller, ...ids.slice(0, 3));
    const refused = await failureOf(use(caller, ...ids.slice(0, 3)));
    expect(refused).to.include({
      code: 'use_limit',
      message: 'The limit of 5 uses of tokens per hour is reached.',
    });
    expect(await use(caller, ids[0], ids[0], ids[1])).to.deep.equal([0, 0, 1]);
    expect(await codeOf(use(caller, ids[0]))).to.equal('use_limit');
  });

  it('count distinct tokens, of which a known one may be used on', async () => {
    const caller = await limited({ distinctTokensPerHour: 3 });
    await use(caller, ids[0], ids[1]);
    for (let i = 0; i < 5; i += 1) await use(caller, ids[0]);
    expect(await codeOf(use(caller, ids[0], ids[2], ids[3]))).to.equal('use_limit');
    expect(await use(caller, ids[2])).to.deep.equal([2]);
    const refused = await failureOf(use(caller, ids[3]));
    expect(refused.message).to.equal('The limit of 3 distinct tokens per hour is reached.');
    expect(await use(caller, ids[0], ids[1], ids[2])).to.deep.equal([0, 1, 2]);
  });

  it('end with the hour: what is more than 60 minutes ago does not count, and what is 60 minutes ago does', async () => {
    const caller = await limited({ usesPerHour: 2, distinctTokensPerHour: 2 });
    const { redis } = fixture.publisher;
    const [uses, tokens] = [
      names().uses(fixture.tenantId, caller.id),
      names().usedTokens(fixture.tenantId, caller.id),
    ];
    await use(caller, ids[0], ids[1]);
    const age = async (minutes: number) => {
      const field = (await redis.hkeys(uses)).find((name) => /^\d+$/.test(name));
      const minute = Number(field) - minutes;
      await redis.hdel(uses, field ?? '');
      await redis.hset(uses, String(minute), '2');
      for (const member of await redis.zrange(tokens, '0', '-1'))
        await redis.zadd(tokens, String(minute), member);
    };
    await age(59);
    expect(await codeOf(use(caller, ids[2]))).to.equal('use_limit');
    await age(3);
    expect(await use(caller, ids[2])).to.deep.equal([2]);
    expect(await redis.zcard(tokens)).to.equal(1);
    expect(await redis.hkeys(uses)).to.have.length(2);
    for (const key of [uses, tokens]) expect(await redis.ttl(key)).to.be.within(3600, 3720);
  });

  it('apply wherever a value is given out: detokenize, get, list, search and update', async () => {
    const token = await fixture.token('x', { containers: ['/apart/'] });
    const here = { ...ownerRule, container: '/apart/' };
    const ways: Record<string, (by: TestApplication) => Promise<unknown>> = {
      detokenize: (by) => fixture.gateway.use(by, [token], {}, detokenize),
      get: (by) => fixture.gateway.get(by, token),
      list: (by) => fixture.gateway.list(by),
      search: (by) => fixture.gateway.search(by, {}),
      update: (by) => fixture.gateway.update(by, token, { metadata: { a: 'b' } }),
    };
    for (const [way, read] of Object.entries(ways)) {
      const caller = await limited({ usesPerHour: 1 }, { rules: [here] });
      expect(await codeOf(read(caller)), way).to.equal('ok');
      expect(await codeOf(read(caller)), way).to.equal('use_limit');
      const denied = (await fixture.audit(caller)).filter(({ outcome }) => outcome === 'denied');
      expect(denied, way).to.have.length(1);
      expect(denied[0], way).to.include({ token_id: token, reason: 'use_limit' });
    }
    const masked = await limited({ usesPerHour: 1 }, { rules: [{ ...here, transform: 'mask' }] });
    for (let i = 0; i < 3; i += 1) expect(await codeOf(fixture.gateway.get(masked, token))).to.equal('ok');
  });

  it('count what sessions and expiring applications use for the applications behind them', async () => {
    const maker = await limited({ usesPerHour: 3 });
    const rules = [{ ...ownerRule, priority: 1, permissions: ['token:read'] }];
    const made = () =>
      fixture.publisher.application({
        tenantId: fixture.tenantId,
        type: 'expiring',
        rules,
        madeBy: maker.id,
      });
    const shop = await fixture.publisher.application({ tenantId: fixture.tenantId, type: 'public' });
    const session = await fixture.gateway.createSession(shop);
    await fixture.gateway.authorizeSession(maker, { nonce: session.nonce, rules });
    const visitor = { ...maker, key: session.session_key };
    while ((await codeOf(fixture.gateway.get(visitor, ids[0] ?? ''))) === 'permission_denied');
    expect(await codeOf(fixture.gateway.get(await made(), ids[1] ?? ''))).to.equal('ok');
    expect(await codeOf(use(maker, ids[2]))).to.equal('ok');
    for (const caller of [visitor, await made(), maker]) {
      expect(await codeOf(fixture.gateway.get(caller, ids[0] ?? ''))).to.equal('use_limit');
    }
  });

  it('change at once, and end when they are removed', async () => {
    const caller = await limited({ usesPerHour: 1 });
    await use(caller, ids[0]);
    expect(await codeOf(use(caller, ids[0]))).to.equal('use_limit');
    const change = async (limits?: UseLimits) => {
      await fixture.publisher.change(caller, { rules: [ownerRule], ...(limits && { limits }) });
    };
    const soon = async (code: string) => {
      while ((await codeOf(use(caller, ids[0]))) !== code);
    };
    await change({ usesPerHour: 2, distinctTokensPerHour: 0 });
    await soon('ok');
    expect(await codeOf(use(caller, ids[0]))).to.equal('use_limit');
    await change();
    await soon('ok');
    for (let i = 0; i < 5; i += 1) expect(await codeOf(use(caller, ids[0]))).to.equal('ok');
  });

  it('notify webhooks once a minute that one is reached', async () => {
    await fixture.publisher.webhook(fixture.tenantId, ['application.use_limit']);
    const caller = await limited({ usesPerHour: 1 });
    while ((await codeOf(use(caller, ids[0]))) !== 'use_limit');
    for (const { gateway } of [fixture, other, fixture]) await codeOf(gateway.use(caller, [ids[0] ?? '']));
    const inbox = new EventInbox(fixture.publisher.redis, names());
    const found = [];
    for (const end = Date.now() + 400; Date.now() < end; await new Promise((go) => setTimeout(go, 20))) {
      const taken = await inbox.take(100);
      await inbox.done(taken);
      found.push(...taken.map(({ event }) => event).filter(({ data }) => data['limit'] !== undefined));
    }
    const ofCaller = found.filter(({ data }) => data.actor?.id === caller.id);
    expect(ofCaller.length).to.be.within(1, 2);
    expect(ofCaller[0]).to.deep.include({ type: 'application.use_limit', tenant_id: fixture.tenantId });
    expect(ofCaller[0]?.data).to.deep.equal({
      application: { id: caller.id },
      limit: 'uses_per_hour',
      maximum: 1,
      actor: { id: caller.id, type: 'application' },
    });
  });

  it('cost a frame one round trip, and callers without limits none', async () => {
    const redis = fixture.publisher.redis;
    const evals = async () =>
      Number(/cmdstat_eval:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0);
    const caller = await limited({ usesPerHour: 1000, distinctTokensPerHour: 1000 });
    await use(caller, ids[0]);
    const spent = async (by: TestApplication) => {
      const before = await evals();
      await Promise.all(Array.from({ length: 60 }, (_, i) => use(by, ids[i % 12])));
      return (await evals()) - before;
    };
    expect(await spent(fixture.owner)).to.equal(0);
    expect(await spent(caller)).to.be.within(1, 10);
  });

  it('refuse while Redis is away, and only callers that have limits', async () => {
    await using relay = await TcpRelay.start((await sharedRedis()).url);
    const followers = async () => {
      const [, count] = await fixture.publisher.redis.pubsub('NUMSUB', names().changes);
      return Number(count);
    };
    const before = await followers();
    await using alone = await fixture.anotherVault({ REDIS_URL: relay.url });
    // What a vault reads before it follows announcements, it does not keep.
    while ((await followers()) === before);
    const caller = await limited({ usesPerHour: 100 });
    const codeBy = (by: TestApplication) => codeOf(alone.gateway.use(by, [ids[0] ?? '']));
    const allowedBy = async (by: TestApplication) => {
      while ((await codeBy(by)) !== 'ok');
    };
    // A late announcement makes it forget an application, and without Redis it would not get that far.
    await until('a refusal is recorded', async () => {
      relay.restore();
      for (const by of [caller, fixture.owner, caller, fixture.owner]) await allowedBy(by);
      relay.refuse();
      for (let i = 0; i < 3; i += 1) expect(await codeBy(caller)).to.equal('unavailable');
      return (await fixture.audit(caller)).at(-1)?.outcome === 'denied';
    });
    expect(await codeBy(fixture.owner)).to.equal('ok');
    expect((await fixture.audit(caller)).at(-1)).to.include({ reason: 'use_limit_unknown' });
    relay.restore();
    while ((await codeOf(alone.gateway.use(caller, [ids[0] ?? '']))) !== 'ok');
  });

  it('keep no token id in Redis', async () => {
    const id = await fixture.token('x', { id: 'readable-token-id' });
    const caller = await limited({ distinctTokensPerHour: 3 });
    await use(caller, id);
    const members = await fixture.publisher.redis.zrange(
      names().usedTokens(fixture.tenantId, caller.id),
      '0',
      '-1',
    );
    expect(members).to.have.length(1);
    expect(members[0]).to.match(/^[\w-]{22}$/);
  });
});
