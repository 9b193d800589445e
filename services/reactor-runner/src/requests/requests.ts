import type { Redis } from '@glovebox/platform/db/redis';
import { AppError } from '@glovebox/platform/errors/app-error';

import type { Ending } from './ending.ts';
import { acceptScript, beginScript, forgetScript, settleScript, takeBackScript } from './request-scripts.ts';

/** Which asynchronous invocation, and whose. */
export interface RequestPlace {
  readonly tenantId: string;
  readonly reactorId: string;
  readonly requestId: string;
}

export interface RequestLimits {
  /** Without an outcome, of all tenants together. */
  readonly open: number;
  readonly openPerTenant: number;
  /** Sealed arguments and outcomes that are kept of one tenant. */
  readonly keptBytesPerTenant: number;
  /** How long an outcome is kept, and a request without one. */
  readonly lifeMs: number;
}

/** `interrupted`: its code began and what came of it is unknown. */
export type RequestState = 'open' | 'answered' | 'interrupted';

export interface StoredRequest {
  readonly tenantId: string;
  readonly reactorId: string;
  /** Which has invoked the reactor; empty for what an earlier version has accepted: nobody gets its result. */
  readonly applicationId: string;
  readonly state: RequestState;
  /** An attempt to run the code has begun. */
  readonly begun: boolean;
  /** Sealed; gone once there is an outcome. */
  readonly args: Buffer;
  /** Sealed; empty unless it is `answered`. */
  readonly outcome: Buffer;
  /** What webhooks are told of it, once there is an outcome. */
  readonly ending: Ending | undefined;
}

export interface RequestsOptions {
  readonly redis: Redis;
  /** Start of every name in Redis. */
  readonly prefix: string;
  readonly limits: RequestLimits;
}

const anyAttempt = '*';

/**
 * The asynchronous invocations in Redis, from their acceptance until their outcome is kept no more. Of all attempts to
 * run the code of one, in whatever process, one may begin, and the first outcome stays. Everything rejects while Redis
 * is away.
 */
export class Requests {
  readonly #options: RequestsOptions;

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  /**
   * @param args sealed
   * @param applicationId whose the result is
   * @returns how many the tenant has open with it
   * @throws AppError `rate_limited`, `unavailable` when there are too many already
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
        : 'The arguments and results of asynchronous invocations that are kept of this tenant are too large.',
    );
  }

  async read(requestId: string): Promise<StoredRequest | undefined> {
    const fields = ['tenant', 'reactor', 'application', 'state', 'begun', 'arguments', 'outcome', 'ending'];
    const found = await this.#options.redis.hmgetBuffer(this.#keyOf(requestId), ...fields);
    const [tenantId, reactorId, applicationId, state, begun, args, outcome, ending] = found;
    if (!tenantId || !reactorId || !state) return undefined;
    return {
      tenantId: tenantId.toString(),
      reactorId: reactorId.toString(),
      applicationId: applicationId?.toString() ?? '',
      state: state.toString() as RequestState,
      begun: Boolean(begun),
      args: args ?? empty,
      outcome: outcome ?? empty,
      ending: ending ? (JSON.parse(ending.toString()) as Ending) : undefined,
    };
  }

  /** Whether this attempt is the one that may run the code. */
  async begin({ requestId }: RequestPlace, attempt: string): Promise<boolean> {
    return (await this.#run(beginScript, [this.#keyOf(requestId)], [attempt])) === 1;
  }

  /** For an attempt of which it is certain that it did not run the code: another one may. */
  async takeBack({ requestId }: RequestPlace, attempt: string): Promise<void> {
    await this.#run(takeBackScript, [this.#keyOf(requestId)], [attempt]);
  }

  /** @param outcome sealed. @returns whether it counts. */
  settle(place: RequestPlace, attempt: string, outcome: Buffer, ending: Ending): Promise<boolean> {
    return this.#settle(place, attempt, 'answered', outcome, ending);
  }

  /** What became of the code that some attempt began is never going to be known. */
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
    const told = JSON.stringify(ending);
    const values = [place.requestId, Date.now(), lifeMs, attempt, state, outcome, told];
    return (await this.#run(settleScript, this.#keysOf(place), values)) === 1;
  }

  /** As if it had not been accepted. */
  async forget(place: RequestPlace): Promise<void> {
    await this.#run(forgetScript, this.#keysOf(place), [place.requestId]);
  }

  openOf(tenantId: string): Promise<number> {
    return this.#options.redis.zcard(this.#name(`open:${tenantId}`));
  }

  /** All that are open, and when the first of them was accepted, in milliseconds since the epoch. */
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
    return this.#name(`request:${requestId}`);
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
