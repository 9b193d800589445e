import type { Redis } from '@glovebox/platform/db/redis';
import { repeatedly } from '@glovebox/platform/values/repeatedly';

import { addCounts } from './add-counts.ts';
import type { RedisNames } from './keys.ts';
import { figureFields } from './rollout-figures.ts';
import {
  type Difference,
  addDifferences,
  differenceField,
  mostDifferences,
  otherDifference,
  shadowFields,
} from './shadow-figures.ts';

export interface RolloutCounterOptions {
  readonly redis: Redis;
  readonly names: Pick<RedisNames, 'rolloutFigures' | 'rolloutDifferences'>;
  /** Figures of the last second could not be written, or not all of them. */
  readonly onLost: (error: unknown) => void;
}

/** A request that one of the versions has served, or, of a shadow, been tried on. */
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

interface Counts {
  readonly figures: Map<string, number>;
  readonly differences: Map<string, number>;
}

/**
 * Adds what the versions of rollouts do to the figures of the whole cluster, every second. What Redis does not take is
 * lost: counted twice, it could end a rollout.
 */
export class RolloutCounter implements AsyncDisposable {
  readonly #options: RolloutCounterOptions;
  readonly #rounds: AsyncDisposable;
  #counts = new Map<string, Counts>();

  constructor(options: RolloutCounterOptions) {
    this.#options = options;
    this.#rounds = repeatedly(pauseMs, () => this.#write());
  }

  note({ rolloutId, version, failed, ms }: Served): void {
    const figures = this.#countsOf(rolloutId)?.figures;
    if (figures === undefined) return;
    increase(figures, figureFields.requests(version));
    if (failed) increase(figures, figureFields.errors(version));
    increase(figures, figureFields.took(version, ms));
  }

  /** The results of both versions were compared; without differences they were equal. */
  noteCompared(rolloutId: string, found: readonly Difference[]): void {
    const counts = this.#countsOf(rolloutId);
    if (counts === undefined) return;
    const { figures, differences } = counts;
    increase(figures, shadowFields.compared);
    if (found.length === 0) increase(figures, shadowFields.equal);
    for (const one of found) {
      const field = differenceField(one);
      const isTooMuch = !differences.has(field) && differences.size >= mostDifferences;
      increase(differences, isTooMuch ? differenceField(otherDifference) : field);
    }
  }

  /** A request of a shadow's share that it was not tried on. */
  noteSkipped(rolloutId: string): void {
    const figures = this.#countsOf(rolloutId)?.figures;
    if (figures !== undefined) increase(figures, shadowFields.skipped);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#rounds[Symbol.asyncDispose]();
    await this.#write();
  }

  /** Undefined where too many rollouts are counted already. */
  #countsOf(rolloutId: string): Counts | undefined {
    const known = this.#counts.get(rolloutId);
    if (known !== undefined || this.#counts.size >= mostRollouts) return known;
    const counts = { figures: new Map<string, number>(), differences: new Map<string, number>() };
    this.#counts.set(rolloutId, counts);
    return counts;
  }

  async #write(): Promise<void> {
    const { redis, names, onLost } = this.#options;
    if (this.#counts.size === 0) return;
    const written: Promise<unknown>[] = [];
    for (const [rolloutId, { figures, differences }] of this.#counts) {
      const key = names.rolloutFigures(rolloutId);
      written.push(addCounts(redis, key, keptMs, figures));
      if (differences.size === 0) continue;
      const bounds = [mostDifferences, differenceField(otherDifference), keptMs];
      const found = [...differences].flat();
      written.push(redis.eval(addDifferences, 1, names.rolloutDifferences(rolloutId), ...bounds, ...found));
    }
    this.#counts = new Map();
    await Promise.all(written).catch(onLost);
  }
}

function increase(counts: Map<string, number>, field: string): void {
  counts.set(field, (counts.get(field) ?? 0) + 1);
}
