import type { Redis } from '@glovebox/platform/db/redis';
import { type AwaitReplicas, awaitReplicas } from '@glovebox/platform/db/redis-replicas';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { Application } from '@glovebox/protos/published/v1/published';
import { encodeRecord } from '@glovebox/published/codec';
import { type RedisNames, applicationIdRecord, applicationRecord } from '@glovebox/published/keys';

import type { Keyring } from '../crypto/keyring.ts';
import { authorizeScript, createScript, forgetScript } from './session-scripts.ts';
import { checkNonce, nonceTag, tagRecord } from './session-tags.ts';

/** Found by its nonce. Neither the key nor the nonce is stored, only their hashes. */
export interface Session {
  readonly id: string;
  readonly tenantId: string;
  /** The public application that created it. */
  readonly applicationId: string;
  readonly keyHash: string;
  readonly nonceHash: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface FoundSession extends Session {
  readonly authorized: boolean;
}

export interface SessionGrant extends Pick<Application, 'permissions' | 'rules'> {
  readonly grantedBy: string;
  readonly expiresAt: number;
}

export interface SessionStoreOptions {
  readonly keyring: Keyring;
  readonly redis: Redis;
  readonly names: RedisNames;
  /** How many replicas must have a session, or that it has ended: it is nowhere but in Redis. */
  readonly waitReplicas: number;
  /** Unauthorized sessions of one application. */
  readonly maxWaiting: number;
  /** All sessions of one tenant. */
  readonly maxLive: number;
}

/** Sessions in Redis, which expires them. Every method rejects with `unavailable` while Redis is down. */
export class SessionStore {
  readonly #options: SessionStoreOptions;
  readonly #replicated: AwaitReplicas;

  constructor(options: SessionStoreOptions) {
    this.#options = options;
    this.#replicated = awaitReplicas(options.redis, options.waitReplicas);
  }

  /** Stores a session without any permission. @throws AppError `rate_limited` when there are too many */
  async create(session: Session): Promise<void> {
    const { id, tenantId, applicationId, keyHash, nonceHash, expiresAt } = session;
    const { keyring, names } = this.#options;
    const record = recordOf(session, 1, {
      permissions: [],
      rules: [],
      grantedBy: applicationId,
      expiresAt,
    });
    const outcome = await this.#run(createScript, session, [
      Date.now(),
      expiresAt,
      this.#options.maxWaiting,
      this.#options.maxLive,
      nonceHash,
      ...(await this.#tagged(session, record)),
      keyHash,
      id,
      tenantId,
      applicationId,
      await nonceTag(keyring, names.sessionNonce(nonceHash), session),
    ]);
    if (outcome === 1) return;
    const whose = outcome === 0 ? 'the application wait to be authorized' : 'the tenant are live';
    throw new AppError('rate_limited', `Too many sessions of ${whose}.`);
  }

  /** @throws IntegrityViolation for an entry that no vault has made */
  async find(nonceHash: string): Promise<FoundSession | undefined> {
    const { redis, names, keyring } = this.#options;
    const place = names.sessionNonce(nonceHash);
    const fields = await redis.hgetall(place).catch(away);
    const { state, expires, key, id, tenant, application, tag = '' } = fields;
    if (!state || !expires || !key || !id || !tenant || !application) return undefined;
    const expiresAt = Number(expires);
    if (state === 'waiting' && expiresAt <= Date.now()) return undefined;
    const session = { id, tenantId: tenant, applicationId: application, keyHash: key, nonceHash, expiresAt };
    await checkNonce(keyring, place, session, tag);
    return { ...session, authorized: state !== 'waiting' };
  }

  /** Of concurrent calls one succeeds. Every reader is notified by then. */
  async authorize(session: Session, grant: SessionGrant): Promise<'authorized' | 'used' | 'gone'> {
    const { names } = this.#options;
    const outcome = await this.#run(authorizeScript, session, [
      grant.expiresAt,
      session.nonceHash,
      ...(await this.#tagged(session, recordOf(session, 2, grant))),
      names.changes,
      recordNames(session).join('\n'),
    ]);
    return outcome === 1 ? 'authorized' : outcome === 0 ? 'used' : 'gone';
  }

  async forget(session: Session): Promise<void> {
    await this.#run(forgetScript, session, [session.nonceHash]);
  }

  /** Ends all sessions of a tenant. */
  async forgetTenant(tenantId: string): Promise<void> {
    const { redis, names } = this.#options;
    const live = names.liveSessions(tenantId);
    for (const nonceHash of await redis.zrange(live, '0', '-1').catch(away)) {
      const nonce = names.sessionNonce(nonceHash);
      const { key = '', id = '', application = '' } = await redis.hgetall(nonce).catch(away);
      const records = [applicationRecord(key), applicationIdRecord(id)];
      const places = records.map((name) => names.session(name));
      const keys = [nonce, ...places, names.waitingSessions(application), live];
      await redis.eval(forgetScript, keys.length, ...keys, nonceHash).catch(away);
      await redis.publish(names.changes, records.join('\n')).catch(away);
    }
    await redis.del(live).catch(away);
    await this.#replicated(live).catch(away);
  }

  /** The record as it is stored by the hash of the key, and by the id. */
  #tagged(session: Session, record: Buffer): Promise<Buffer[]> {
    const { keyring, names } = this.#options;
    const places = recordNames(session).map((name) => names.session(name));
    return Promise.all(places.map((place) => tagRecord(keyring, session.tenantId, place, record)));
  }

  async #run(
    script: string,
    session: Session,
    values: readonly (string | number | Buffer)[],
  ): Promise<number> {
    const { redis, names } = this.#options;
    const keys = [
      names.sessionNonce(session.nonceHash),
      ...recordNames(session).map((name) => names.session(name)),
      names.waitingSessions(session.applicationId),
      names.liveSessions(session.tenantId),
    ];
    const outcome = Number(await redis.eval(script, keys.length, ...keys, ...values).catch(away));
    await this.#replicated(names.sessionNonce(session.nonceHash)).catch(away);
    return outcome;
  }
}

const recordNames = ({ keyHash, id }: Session) => [applicationRecord(keyHash), applicationIdRecord(id)];

function recordOf(
  { id, tenantId, applicationId }: Session,
  version: number,
  { permissions, rules, grantedBy, expiresAt }: SessionGrant,
): Buffer {
  const originIds = [...new Set([applicationId, grantedBy])];
  const value = { id, tenantId, type: 'session', permissions, rules, session: { expiresAt, originIds } };
  return encodeRecord({ version, record: { $case: 'application', value } });
}

function away(cause: unknown): never {
  throw new AppError('unavailable', 'Sessions cannot be made or authorized right now.', { cause });
}
