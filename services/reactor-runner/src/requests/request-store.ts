import type { Redis } from '@glovebox/platform/db/redis';
import { AppError } from '@glovebox/platform/errors/app-error';
import { AsyncRequestList } from '@glovebox/published/async-requests';
import { type RedisNames, redisNames } from '@glovebox/published/keys';

import type { Ending } from './ending.ts';
import { acceptScript, beginScript, forgetScript, settleScript, releaseScript } from './request-scripts.ts';

/** Identifies an asynchronous invocation. */
export interface RequestPlace {
  readonly tenantId: string;
  readonly reactorId: string;
  readonly requestId: string;
}

export interface RequestLimits {
  /** Requests without an outcome, of all tenants together. */
  readonly open: number;
  readonly openPerTenant: number;
  /** Stored arguments and outcomes of one tenant, sealed. */
  readonly keptBytesPerTenant: number;
  /** How long an outcome is kept, and a request without one. */
  readonly lifeMs: number;
}

/** `interrupted`: its code began, and the result is unknown. */
const states = ['open', 'answered', 'interrupted'] as const;
export type RequestState = (typeof states)[number];

export interface StoredRequest {
  readonly tenantId: string;
  readonly reactorId: string;
  /** The invoker. Empty for requests that an earlier version accepted; their results are not returned. */
  readonly applicationId: string;
  readonly state: RequestState;
  /** An attempt to run the code has begun. */
  readonly begun: boolean;
  /** Sealed; gone once there is an outcome. */
  readonly args: Buffer;
  /** Sealed; empty unless it is `answered`. */
  readonly outcome: Buffer;
  /** For webhook events, once there is an outcome. */
  readonly ending: Ending | undefined;
}

export interface RequestStoreOptions {
  readonly redis: Redis;
  /** Prefix of every key in Redis. */
  readonly prefix: string;
  readonly limits: RequestLimits;
}

const anyAttempt = '*';

/**
 * The asynchronous invocations in Redis, from acceptance until their outcome expires. Only one attempt in all processes may
 * run the code of a request, and the first outcome stays. Everything rejects while Redis is away.
 */
export class RequestStore {
  readonly #options: RequestStoreOptions;
  readonly #names: RedisNames;
  readonly #list: AsyncRequestList;

  constructor(options: RequestStoreOptions) {
    this.#options = options;
    this.#names = redisNames(options.prefix);
    this.#list = new AsyncRequestList(options.redis, this.#names);
  }

  /**
   * @param args sealed
   * @param applicationId the owner of the result
   * @returns the number of the tenant's open requests, this one included
   * @throws AppError `rate_limited` or `unavailable` when there are too many
   */
  async accept(place: RequestPlace, args: Buffer, applicationId: string): Promise<number> {
    const { open, openPerTenant, keptBytesPerTenant, lifeMs } = this.#options.limits;
    const { requestId, tenantId, reactorId } = place;
    const limits = [open, openPerTenant, keptBytesPerTenant];
    const values = [requestId, Date.now(), lifeMs, args, ...limits, tenantId, reactorId, applicationId];
    const rank = await this.#run(acceptScript, this.#keysOf(place), values);
    if (rank > 0) return rank;
    if (rank === -1) throw new AppError('unavailable', 'Too many asynchronous invocations wait already.');
    throw new AppError(
      'rate_limited',
      rank === -2
        ? 'Too many asynchronous invocations of this tenant wait already.'
        : 'The stored arguments and results of this tenant’s asynchronous invocations are too large.',
    );
  }

  /** Shows an accepted request in the list of its tenant. Never rejects: it counts also when nobody can see it. */
  async list({ tenantId, requestId }: RequestPlace): Promise<void> {
    await this.#list.note(tenantId, requestId, this.#options.limits.lifeMs).catch(() => undefined);
  }

  async read(requestId: string): Promise<StoredRequest | undefined> {
    const fields = ['tenant', 'reactor', 'application', 'state', 'begun', 'arguments', 'outcome', 'ending'];
    const found = await this.#options.redis.hmgetBuffer(this.#keyOf(requestId), ...fields);
    const [tenantId, reactorId, applicationId, storedState, begun, args, outcome, ending] = found;
    const state = states.find((known) => known === storedState?.toString());
    if (!tenantId || !reactorId || !state) return undefined;
    return {
      tenantId: tenantId.toString(),
      reactorId: reactorId.toString(),
      applicationId: applicationId?.toString() ?? '',
      state,
      begun: Boolean(begun),
      args: args ?? empty,
      outcome: outcome ?? empty,
      ending: ending ? parseEnding(ending) : undefined,
    };
  }

  /** Claims the request. @returns whether this attempt may run the code */
  async begin({ requestId }: RequestPlace, attempt: string): Promise<boolean> {
    return (await this.#run(beginScript, [this.#keyOf(requestId)], [attempt])) === 1;
  }

  /** For an attempt that certainly did not run the code: another one may. */
  async release({ requestId }: RequestPlace, attempt: string): Promise<void> {
    await this.#run(releaseScript, [this.#keyOf(requestId)], [attempt]);
  }

  /** @param outcome sealed @returns whether it is the first outcome, and is stored */
  settle(place: RequestPlace, attempt: string, outcome: Buffer, ending: Ending): Promise<boolean> {
    return this.#settle(place, attempt, 'answered', outcome, ending);
  }

  /** For a request whose code began and whose outcome is lost. @returns whether it was still open and begun */
  interrupt(place: RequestPlace, ending: Ending): Promise<boolean> {
    return this.#settle(place, anyAttempt, 'interrupted', empty, ending);
  }

  async #settle(
    place: RequestPlace,
    attempt: string,
    state: RequestState,
    outcome: Buffer,
    ending: Ending,
  ): Promise<boolean> {
    const { lifeMs } = this.#options.limits;
    const values = [place.requestId, Date.now(), lifeMs, attempt, state, outcome, JSON.stringify(ending)];
    return (await this.#run(settleScript, this.#keysOf(place), values)) === 1;
  }

  /** Undoes the acceptance. */
  async forget(place: RequestPlace): Promise<void> {
    await this.#run(forgetScript, this.#keysOf(place), [place.requestId]);
  }

  openOf(tenantId: string): Promise<number> {
    return this.#options.redis.zcard(this.#name(`open:${tenantId}`));
  }

  /** The number of open requests, and when the oldest was accepted, in milliseconds since the epoch. */
  async depth(): Promise<{ readonly open: number; readonly oldest: number | undefined }> {
    const { redis } = this.#options;
    const key = this.#name('open');
    const [open, first] = await Promise.all([redis.zcard(key), redis.zrange(key, '0', '0', 'WITHSCORES')]);
    return { open, oldest: first[1] === undefined ? undefined : Number(first[1]) };
  }

  #name(name: string): string {
    return `${this.#options.prefix}:async:${name}`;
  }

  #keyOf(requestId: string): string {
    return this.#names.asyncRequest(requestId);
  }

  #keysOf({ requestId, tenantId }: RequestPlace): string[] {
    const names = ['open', `open:${tenantId}`, `kept:${tenantId}`, `sizes:${tenantId}`];
    return [this.#keyOf(requestId), ...names.map((name) => this.#name(name))];
  }

  async #run(script: string, keys: string[], values: (string | number | Buffer)[]): Promise<number> {
    const texts = values.map((value) => (typeof value === 'number' ? String(value) : value));
    return Number(await this.#options.redis.eval(script, keys.length, ...keys, ...texts));
  }
}

const empty = Buffer.alloc(0);

function parseEnding(json: Buffer): Ending {
  return JSON.parse(json.toString());
}
