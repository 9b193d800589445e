import { hashKey } from '@glovebox/access/api-key';
import { type Redis, createRedis } from '@glovebox/platform/db/redis';
import { Secret } from '@glovebox/platform/values/secret';
import { decodeRecord, encodeRecord } from '@glovebox/published/codec';
import { applicationIdRecord, applicationRecord, redisNames } from '@glovebox/published/keys';
import { expect } from 'chai';

import type { NewSession } from './harness/exchange-client.ts';
import { failureOf } from './harness/failure.ts';
import { Fixture } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';
import { sharedRedis } from './harness/servers.ts';

/** Who can write to Redis gets no session, and no right of one. */
describe('sessions that were tampered with', () => {
  let fixture: Fixture;
  let maker: TestApplication;
  let redis: Redis;
  before(async () => {
    fixture = await Fixture.start();
    maker = await fixture.publisher.application({ tenantId: fixture.tenantId, type: 'public' });
    redis = createRedis({
      url: new Secret((await sharedRedis()).url),
      connectionName: 'attacker',
      commandTimeoutMs: 5000,
      onError: () => undefined,
    });
  });
  after(async () => {
    redis.disconnect();
    await fixture[Symbol.asyncDispose]();
  });

  const names = () => redisNames(fixture.publisher.prefix);
  const placeOf = ({ session_key }: NewSession) => names().session(applicationRecord(hashKey(session_key)));
  const granted = async () => {
    const session = await fixture.gateway.createSession(maker);
    await fixture.gateway.authorizeSession(fixture.owner, {
      nonce: session.nonce,
      permissions: ['token:create'],
    });
    return session;
  };
  const use = (session: NewSession, id: string) =>
    fixture.gateway.get({ ...fixture.owner, key: session.session_key }, id);
  const violations = async () =>
    (await fixture.sql(`SELECT 1 FROM audit WHERE reason = 'integrity_violation'`)).length;
  const theOneError = {
    code: 'integrity_violation',
    message: 'Stored data does not authenticate, so it is not used.',
  };

  /** Bytes for the place of the first session. */
  const forgeries: Readonly<Record<string, (own: Buffer, other: Buffer) => Buffer>> = {
    'more permissions, with the tag of before': (own) => Buffer.concat([empowered(own), own.subarray(-38)]),
    'more permissions, without a tag': (own) => empowered(own),
    'the record of another session': (_own, other) => other,
    'no tag': (own) => own.subarray(0, -38),
    'the tag of another session': (own, other) => Buffer.concat([own.subarray(0, -38), other.subarray(-38)]),
    'another key version': (own) => changed(own, own.length - 33),
    'no record at all': () => Buffer.from('1:'),
    'no bytes that are a record': () => Buffer.from('x'),
  };
  const empowered = (own: Buffer): Buffer => {
    const { record } = decodeRecord(own);
    if (record?.$case !== 'application') throw new Error('a session was expected');
    const permissions = ['token:read', 'token:use'];
    const rule = {
      priority: 1,
      container: '/',
      conditions: [],
      transform: 'reveal',
      permissions: ['token:read'],
    };
    return encodeRecord({
      version: 3,
      record: { $case: 'application', value: { ...record.value, permissions, rules: [rule] } },
    });
  };
  const changed = (own: Buffer, at: number): Buffer => {
    const bytes = Buffer.from(own);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  };

  for (const [what, forge] of Object.entries(forgeries)) {
    it(`are refused, and recorded: ${what}`, async () => {
      const id = await fixture.token('the value');
      const [session, other] = [await granted(), await granted()];
      const [own, others] = await Promise.all([session, other].map((one) => redis.getBuffer(placeOf(one))));
      if (!own || !others) throw new Error('a session is not stored');
      await redis.set(placeOf(session), forge(own, others), 'KEEPTTL');
      const before = await violations();
      const failure = await failureOf(use(session, id));
      expect(failure).to.include(theOneError);
      expect(await violations()).to.equal(before + 1);
      await redis.set(placeOf(session), own, 'KEEPTTL');
      // As it was, it is the session that was granted no right to read.
      expect((await failureOf(use(session, id))).code).to.equal('permission_denied');
    });
  }

  it('are refused with a byte of the record changed', async () => {
    const session = await granted();
    const own = await redis.getBuffer(placeOf(session));
    if (!own) throw new Error('the session is not stored');
    for (let at = 0; at < own.length; at += 9) {
      await redis.set(placeOf(session), changed(own, at), 'KEEPTTL');
      expect(await failureOf(use(session, 'any')), `byte ${at}`).to.include(theOneError);
    }
  });

  it('make no dead application live again', async () => {
    const session = await granted();
    const own = await redis.getBuffer(placeOf(session));
    await redis.del(names().record(applicationIdRecord(maker.id)));
    await redis.set(names().session(applicationIdRecord(maker.id)), own ?? '');
    await redis.publish(names().changes, applicationIdRecord(maker.id));
    await using restarted = await fixture.anotherVault();
    const as = { ...fixture.owner, key: session.session_key };
    expect(await failureOf(restarted.gateway.get(as, 'any'))).to.include(theOneError);
    maker = await fixture.publisher.application({ tenantId: fixture.tenantId, type: 'public' });
  });

  it('are not authorized for another key, tenant or application than made them', async () => {
    const thief = await fixture.gateway.createSession(maker);
    const forgedFields = {
      key: hashKey(thief.session_key),
      id: '00000000-0000-0000-0000-000000000001',
      application: '00000000-0000-0000-0000-000000000002',
      expires: String(Date.now() + 1e10),
      tag: `1:${'0'.repeat(64)}`,
    };
    for (const [field, value] of Object.entries(forgedFields)) {
      const session = await fixture.gateway.createSession(maker);
      await redis.hset(names().sessionNonce(hashKey(session.nonce)), field, value);
      const body = { nonce: session.nonce, permissions: ['token:create'] };
      const failure = await failureOf(fixture.gateway.authorizeSession(fixture.owner, body));
      expect(failure, field).to.include(theOneError);
    }
  });
});
