import type { Redis } from '@glovebox/platform/db/redis';
import { repeatedly } from '@glovebox/platform/values/repeatedly';

import type { RedisNames } from './keys.ts';
import { figureFields } from './rollout-figures.ts';

export interface RolloutCounterOptions {
  readonly redis: Redis;
  readonly names: Pick<RedisNames, 'rolloutFigures'>;
  /** Figures of the last second could not be written, or not all of them. */
  readonly onLost: (error: unknown) => void;
}

/** A request that one of the versions has served. */
export interface Served {
  readonly rolloutId: string;
  readonly version: number;
  readonly failed: boolean;
  readonly ms: number;
}

const pauseMs = 1000;
const keptMs = 30 * 24 * 60 * 60_000;
/** Rollouts that are counted in one second. */
const mostRollouts = 10_000;

/**
 * Adds what the versions of rollouts do to the figures of the whole cluster, every second. What Redis does not take is
 * lost: counted twice, it could end a rollout.
 */
export class RolloutCounter implements AsyncDisposable {
  readonly #options: RolloutCounterOptions;
  readonly #rounds: AsyncDisposable;
  #counts = new Map<string, Map<string, number>>();

  constructor(options: RolloutCounterOptions) {
    this.#options = options;
    this.#rounds = repeatedly(pauseMs, () => this.#write());
  }

  note({ rolloutId, version, failed, ms }: Served): void {
    let counts = this.#counts.get(rolloutId);
    if (counts === undefined) {
      if (this.#counts.size >= mostRollouts) return;
      this.#counts.set(rolloutId, (counts = new Map()));
    }
    const add = (field: string) => counts.set(field, (counts.get(field) ?? 0) + 1);
    add(figureFields.requests(version));
    if (failed) add(figureFields.errors(version));
    add(figureFields.took(version, ms));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#rounds[Symbol.asyncDispose]();
    await this.#write();
  }

  async #write(): Promise<void> {
    const { redis, names, onLost } = this.#options;
    if (this.#counts.size === 0) return;
    const pipeline = redis.pipeline();
    for (const [rolloutId, counts] of this.#counts) {
      const key = names.rolloutFigures(rolloutId);
      for (const [field, count] of counts) pipeline.hincrby(key, field, count);
      pipeline.pexpire(key, keptMs);
    }
    this.#counts = new Map();
    const outcomes = await pipeline.exec().catch((error: unknown) => [[error]]);
    const failure = outcomes?.find(([error]) => error !== null)?.[0];
    if (failure !== undefined) onLost(failure);
  }
}
