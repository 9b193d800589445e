import { expect } from 'chai';

import type { VaultConfig } from '../src/config.ts';
import { codeOf, failureOf } from './harness/failure.ts';
import { Fixture } from './harness/fixture.ts';
import { sharedRedis } from './harness/servers.ts';
import { TcpRelay } from './harness/tcp-relay.ts';

const quick = { DATABASE_STATEMENT_TIMEOUT_MS: '2000' };
const connectSoon = (config: VaultConfig) => ({
  ...config,
  database: { ...config.database, connectTimeoutMs: 1000 },
});

describe('when a store is away', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  /** Answers with 200 or 503. */
  const readiness = async (port: number) => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    return { status: response.status, reasons: ((await response.json()) as { reasons: object }).reasons };
  };

  /** In a while: what broke has to be connected anew. */
  const expectToWork = async (use: () => Promise<unknown[]>) => {
    let value: unknown;
    while (value === undefined) [value] = await use().catch(() => []);
    expect(value).to.equal('value');
  };

  for (const manner of ['refuse', 'fallSilent'] as const) {
    it(`Postgres (${manner}): calls fail as unavailable within seconds, and work again when it is back`, async () => {
      await using relay = await TcpRelay.start(fixture.ground.databaseUrl);
      await using other = await fixture.anotherVault({ ...quick, DATABASE_URL: relay.url }, connectSoon);
      const { gateway } = other;
      const id = await fixture.token('value');
      expect(await gateway.use(fixture.owner, [id])).to.deep.equal(['value']);
      relay[manner]();
      const startedAt = Date.now();
      const outcomes = await Promise.allSettled([
        gateway.use(fixture.owner, [id]),
        gateway.get(fixture.owner, id),
        gateway.create(fixture.owner, { type: 'token', data: 1 }),
        gateway.tokenize(fixture.owner, [1]),
        gateway.delete(fixture.owner, id),
      ]);
      expect(Date.now() - startedAt).to.be.below(10_000);
      for (const outcome of outcomes) {
        expect((outcome as PromiseRejectedResult).reason).to.have.property('code', 'unavailable');
      }
      expect(await readiness(other.vault.vault.metricsPort)).to.deep.equal({
        status: 503,
        reasons: { postgres: 'the database cannot be reached or not be written' },
      });
      const failures = other.vault.logged.filter((line) => line.includes('"call failed"'));
      expect(failures.length, 'log lines').to.be.within(1, 5);
      relay.restore();
      await expectToWork(() => gateway.use(fixture.owner, [id]));
      expect((await readiness(other.vault.vault.metricsPort)).status).to.equal(200);
    });
  }

  it('Postgres is slow: no call waits for it longer than its deadline', async () => {
    await using relay = await TcpRelay.start(fixture.ground.databaseUrl);
    await using other = await fixture.anotherVault({ ...quick, DATABASE_URL: relay.url }, connectSoon);
    const { gateway } = other;
    const id = await fixture.token('value');
    await gateway.use(fixture.owner, [id]);
    relay.slow(300);
    const startedAt = Date.now();
    const brief = { timeoutMs: 1000 };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, () => [
        gateway.use(fixture.owner, [id], brief),
        gateway.create(fixture.owner, { type: 'token', data: 1 }, brief),
      ]).flat(),
    );
    expect(Date.now() - startedAt).to.be.below(10_000);
    const failures = outcomes.filter((outcome) => outcome.status === 'rejected');
    // There are fewer connections than tokens to be written.
    expect(failures).to.have.length.above(10);
    for (const { reason } of failures) expect(reason.code).to.be.oneOf(['deadline_exceeded', 'unavailable']);
    relay.restore();
    await expectToWork(() => gateway.use(fixture.owner, [id]));
  });

  it('Redis: sessions are neither made nor authorized, and are again when it is back', async () => {
    const { publisher, tenantId, owner } = fixture;
    const maker = await publisher.application({ tenantId, type: 'public' });
    await using relay = await TcpRelay.start((await sharedRedis()).url);
    await using other = await fixture.anotherVault({ ...quick, REDIS_URL: relay.url }, connectSoon);
    const { gateway } = other;
    let session = await gateway.createSession(maker).catch(() => undefined);
    while (session === undefined) session = await gateway.createSession(maker).catch(() => undefined);
    const { nonce } = session;
    await gateway.list(owner);
    relay.refuse();
    const authorization = { nonce, permissions: ['token:use'] };
    expect((await failureOf(gateway.createSession(maker))).code).to.equal('unavailable');
    expect((await failureOf(gateway.authorizeSession(owner, authorization))).code).to.equal('unavailable');
    relay.restore();
    while ((await codeOf(gateway.authorizeSession(owner, authorization))) !== 'ok');
    expect((await gateway.createSession(maker)).nonce).to.not.equal(nonce);
  });

  it('Redis: keys that are known go on working, others are unavailable, not unauthenticated', async () => {
    await using relay = await TcpRelay.start((await sharedRedis()).url);
    await using other = await fixture.anotherVault({ REDIS_URL: relay.url }, (config) => ({
      ...config,
      publishedCache: { ...config.publishedCache, freshMs: 1 },
    }));
    const { gateway } = other;
    const id = await fixture.token('value');
    await gateway.use(fixture.owner, [id]);
    const stranger = await fixture.application(['token:use']);
    relay.refuse();
    expect(await gateway.use(fixture.owner, [id])).to.deep.equal(['value']);
    expect((await failureOf(gateway.use(stranger, [id]))).code).to.equal('unavailable');
    expect((await readiness(other.vault.vault.metricsPort)).status).to.equal(200);
    relay.restore();
    await expectToWork(() => gateway.use(stranger, [id]));
  });

  it('Redis from the start: the vault is up, not ready, and says why', async () => {
    await using relay = await TcpRelay.start((await sharedRedis()).url);
    relay.refuse();
    await using other = await fixture.anotherVault({ REDIS_URL: relay.url });
    expect(await readiness(other.vault.vault.metricsPort)).to.deep.equal({
      status: 503,
      reasons: { redis: 'the published configuration has not been seen yet' },
    });
    relay.restore();
    while ((await readiness(other.vault.vault.metricsPort)).status !== 200);
  });

  it('a database that may only be read keeps the vault from being ready', async () => {
    await fixture.sql('ALTER TABLE audit RENAME TO audit_away');
    try {
      expect((await readiness(fixture.vault.vault.metricsPort)).status).to.equal(503);
    } finally {
      await fixture.sql('ALTER TABLE audit_away RENAME TO audit');
    }
    expect((await readiness(fixture.vault.vault.metricsPort)).status).to.equal(200);
  });
});
