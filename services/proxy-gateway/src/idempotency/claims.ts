import { randomUUID } from 'node:crypto';

import type { Redis } from '@glovebox/platform/db/redis';
import { awaitReplicas } from '@glovebox/platform/db/redis-replicas';
import { AppError } from '@glovebox/platform/errors/app-error';
import { answerNotKept } from '@glovebox/platform/http/idempotency-key';
import type { Logger } from '@glovebox/platform/telemetry/logger';

import { answerScript, leaseScript, releaseScript, takeScript } from './claim-scripts.ts';

export interface ClaimsOptions {
  readonly redis: Redis;
  readonly prefix: string;
  /** How many replicas must have a claim before anything is sent. */
  readonly waitReplicas: number;
  /** How long answers are replayed, and requests of unknown outcome not repeated. */
  readonly retentionMs: number;
  readonly logger: Logger;
  /** A process that has not renewed its lease for this long is taken for dead. */
  readonly leaseMs?: number;
}

/** The right to perform the request of a key. It ends in one of three ways. */
export interface Claim {
  /** @param answer sealed; undefined: too large to be kept */
  answer(answer: Buffer | undefined): Promise<void>;
  /** It failed and may be tried again. */
  release(): Promise<void>;
  /** Its outcome is not known. */
  abandon(): Promise<void>;
}

const maxOrphans = 10_000;

const inFlight = 'A request with this idempotency key is being processed.';
const unknown =
  'The outcome of the first request with this idempotency key is not known: it may or may not have taken effect. It is not sent again. Find out at the destination, then use another key.';

/**
 * Which keys are in use, in Redis. A claim is written before anything is sent, and outlives its process: a process
 * renews its lease every few seconds, and the outcome of a claim whose lease has expired is unknown.
 */
export class Claims implements Disposable {
  readonly #options: ClaimsOptions;
  readonly #leaseMs: number;
  /** Names of claims that are neither answered nor released, by fence. */
  readonly #open = new Map<string, string>();
  /** Claims that may exist although Redis did not answer. Their requests were refused, and nothing was sent. */
  readonly #orphans = new Map<string, string>();
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(options: ClaimsOptions) {
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? 15_000;
  }

  /**
   * Takes the claim, or gives the sealed answer of the request that had it.
   * @throws AppError `conflict` while it is taken, or when its outcome is unknown; `unavailable` without Redis
   */
  async take(scope: Buffer): Promise<Claim | Buffer> {
    const name = `${this.#options.prefix}:idempotency:${scope.toString('hex')}`;
    const fence = randomUUID();
    const [state, answer] = await this.#taken(name, fence);
    switch (state) {
      case 'taken':
        return this.#opened(name, fence);
      case 'answered':
        if (answer === undefined || answer === '') throw new AppError('conflict', answerNotKept);
        return Buffer.from(answer, 'base64');
      case 'running':
        throw new AppError('conflict', inFlight);
      default:
        throw new AppError('conflict', unknown);
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#heartbeat);
  }

  async #taken(name: string, fence: string): Promise<readonly string[]> {
    try {
      const { redis, retentionMs, waitReplicas } = this.#options;
      const taken = (await redis.eval(takeScript, 1, name, fence, this.#leaseMs, retentionMs)) as string[];
      if (taken[0] === 'taken') await awaitReplicas(redis, waitReplicas)(name);
      return taken;
    } catch (cause) {
      // The claim may have been taken although the reply was lost, or replicas do not have it.
      if (this.#orphans.size < maxOrphans) this.#orphans.set(fence, name);
      this.#watch();
      throw new AppError('unavailable', 'Idempotency keys cannot be honoured right now. Nothing was sent.', {
        cause,
      });
    }
  }

  #opened(name: string, fence: string): Claim {
    this.#open.set(fence, name);
    this.#watch();
    const end = async (script: string, ...args: (string | number)[]) => {
      this.#open.delete(fence);
      await this.#run(script, name, fence, ...args);
    };
    return {
      answer: (answer) => end(answerScript, answer?.toString('base64') ?? '', this.#options.retentionMs),
      release: () => end(releaseScript),
      abandon: () => end(leaseScript, 0),
    };
  }

  #watch(): void {
    this.#heartbeat ??= setInterval(() => this.#beat(), this.#leaseMs / 3).unref();
  }

  #beat(): void {
    for (const [fence, name] of this.#open) void this.#run(leaseScript, name, fence, this.#leaseMs);
    for (const [fence, name] of this.#orphans) void this.#releaseOrphan(name, fence);
    if (this.#open.size + this.#orphans.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }

  async #releaseOrphan(name: string, fence: string): Promise<void> {
    if (await this.#run(releaseScript, name, fence)) this.#orphans.delete(fence);
  }

  /** After a failure the claim's lease runs out, and its outcome is unknown. */
  async #run(script: string, name: string, ...args: (string | number)[]): Promise<boolean> {
    try {
      await this.#options.redis.eval(script, 1, name, ...args);
      return true;
    } catch (err) {
      this.#options.logger.warn({ err }, 'a claim of an idempotency key could not be changed');
      return false;
    }
  }
}
