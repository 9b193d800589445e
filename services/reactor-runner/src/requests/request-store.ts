import type { Redis } from '@glovebox/platform/db/redis';
import { type AwaitReplicas, awaitReplicas } from '@glovebox/platform/db/redis-replicas';
import { AppError } from '@glovebox/platform/errors/app-error';
import { AsyncRequestList } from '@glovebox/published/async-requests';
import type { RedisNames } from '@glovebox/published/keys';

import type { InvocationEnd } from './invocation-end.ts';
import { type Depth, OpenOfAll } from './open-of-all.ts';
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
  readonly end: InvocationEnd | undefined;
}

export interface RequestStoreOptions {
  readonly redis: Redis;
  readonly names: RedisNames;
  /** How many replicas must have a request that is accepted, and that its code has begun. */
  readonly waitReplicas: number;
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
  readonly #openOfAll: OpenOfAll | undefined;
  readonly #replicated: AwaitReplicas;

  constructor(options: RequestStoreOptions) {
    const { redis, names, waitReplicas } = options;
    this.#options = options;
    this.#names = names;
    this.#list = new AsyncRequestList(redis, names);
    this.#openOfAll = names.isCluster ? new OpenOfAll(redis, names) : undefined;
    this.#replicated = awaitReplicas(redis, waitReplicas);
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
    const isFull = this.#openOfAll !== undefined && (await this.#openOfAll.count()) >= open;
    const rank = isFull ? -1 : await this.#run(acceptScript, this.#keysOf(place), values);
    if (rank > 0) {
      await this.#openOfAll?.add(place).catch(() => undefined);
      await this.#replicated(this.#keyOf(place));
      return rank;
    }
    if (rank === -1) throw new AppError('unavailable', 'Too many asynchronous invocations wait already.');
    throw new AppError(
      'rate_limited',
      rank === -2
        ? 'Too many asynchronous invocations of this tenant wait already.'
        : 'The stored arguments and results of this tenant’s asynchronous invocations are too large.',
    );
  }

  /** Adds an accepted request to the list of its tenant. Never rejects: a request is valid even if it is not listed. */
  async list({ tenantId, requestId }: RequestPlace): Promise<void> {
    await this.#list.note(tenantId, requestId, this.#options.limits.lifeMs).catch(() => undefined);
  }

  async read(wanted: Pick<RequestPlace, 'tenantId' | 'requestId'>): Promise<StoredRequest | undefined> {
    const fields = ['tenant', 'reactor', 'application', 'state', 'begun', 'arguments', 'outcome', 'ending'];
    const found = await this.#options.redis.hmgetBuffer(this.#keyOf(wanted), ...fields);
    const [tenantId, reactorId, applicationId, storedState, begun, args, outcome, end] = found;
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
      end: end ? parseEnd(end) : undefined,
    };
  }

  /**
   * Claims the request.
   * @returns whether this attempt may run the code
   * @throws AppError `unavailable` while Redis, or a replica, is away: the code does not run
   */
  async begin(place: RequestPlace, attempt: string): Promise<boolean> {
    try {
      if ((await this.#run(beginScript, [this.#keyOf(place)], [attempt])) !== 1) return false;
      await this.#replicated(this.#keyOf(place));
      return true;
    } catch (cause) {
      // It may have been claimed. If that cannot be undone, the next attempt takes the code for begun.
      await this.release(place, attempt).catch(() => undefined);
      throw new AppError('unavailable', 'The invocation cannot be claimed right now.', { cause });
    }
  }

  /** For an attempt that certainly did not run the code: another one may. */
  async release(place: RequestPlace, attempt: string): Promise<void> {
    await this.#run(releaseScript, [this.#keyOf(place)], [attempt]);
  }

  /** @param outcome sealed @returns whether it is the first outcome, and is stored */
  settle(place: RequestPlace, attempt: string, outcome: Buffer, end: InvocationEnd): Promise<boolean> {
    return this.#settle(place, attempt, 'answered', outcome, end);
  }

  /** For a request whose code began and whose outcome is lost. @returns whether it was still open and begun */
  interrupt(place: RequestPlace, end: InvocationEnd): Promise<boolean> {
    return this.#settle(place, anyAttempt, 'interrupted', empty, end);
  }

  async #settle(
    place: RequestPlace,
    attempt: string,
    state: RequestState,
    outcome: Buffer,
    end: InvocationEnd,
  ): Promise<boolean> {
    const { lifeMs } = this.#options.limits;
    const values = [place.requestId, Date.now(), lifeMs, attempt, state, outcome, JSON.stringify(end)];
    const isFirst = (await this.#run(settleScript, this.#keysOf(place), values)) === 1;
    if (!isFirst) return false;
    await this.#openOfAll?.remove(place).catch(() => undefined);
    // The outcome counts also where replicas are late: the code has run.
    await this.#replicated(this.#keyOf(place)).catch(() => undefined);
    return true;
  }

  /** Undoes the acceptance. */
  async forget(place: RequestPlace): Promise<void> {
    await this.#run(forgetScript, this.#keysOf(place), [place.requestId]);
    await this.#openOfAll?.remove(place).catch(() => undefined);
  }

  openOf(tenantId: string): Promise<number> {
    return this.#options.redis.zcard(this.#names.asyncOpenOf(tenantId));
  }

  /** The number of open requests, and when the oldest was accepted, in milliseconds since the epoch. */
  async depth(): Promise<Depth> {
    if (this.#openOfAll !== undefined) return this.#openOfAll.depth();
    const { redis } = this.#options;
    const key = this.#names.asyncOpenOfAll;
    const [open, first] = await Promise.all([redis.zcard(key), redis.zrange(key, '0', '0', 'WITHSCORES')]);
    return { open, oldest: first[1] === undefined ? undefined : Number(first[1]) };
  }

  #keyOf({ tenantId, requestId }: Pick<RequestPlace, 'tenantId' | 'requestId'>): string {
    return this.#names.asyncRequest(tenantId, requestId);
  }

  #keysOf(place: RequestPlace): string[] {
    const { tenantId } = place;
    return [
      this.#keyOf(place),
      this.#names.asyncOpen(tenantId),
      this.#names.asyncOpenOf(tenantId),
      this.#names.asyncKept(tenantId),
      this.#names.asyncSizes(tenantId),
    ];
  }

  async #run(script: string, keys: string[], values: (string | number | Buffer)[]): Promise<number> {
    const texts = values.map((value) => (typeof value === 'number' ? String(value) : value));
    return Number(await this.#options.redis.eval(script, keys.length, ...keys, ...texts));
  }
}

const empty = Buffer.alloc(0);

function parseEnd(json: Buffer): InvocationEnd {
  return JSON.parse(json.toString());
}
