import { createHash } from 'node:crypto';

import { type UseLimitName, type UseLimits, useLimitNames } from '@glovebox/access/use-limits';
import type { Redis } from '@glovebox/platform/db/redis';
import type { RedisNames } from '@glovebox/published/keys';

import { takeScript } from './take-script.ts';

/** The uses of one request. */
export interface WantedUses {
  /** All of these have to allow it. */
  readonly limits: readonly UseLimits[];
  /** Distinct. */
  readonly tokenIds: readonly string[];
}

export interface ReachedLimit {
  readonly applicationId: string;
  readonly name: UseLimitName;
  readonly maximum: number;
  /** It was not counted before in this minute. */
  readonly isFirst: boolean;
}

/**
 * Counts the uses of applications with limits, for all vaults. The counts are in Redis, which runs one script at a time:
 * so they are exact, however many vaults ask at once.
 */
export class UseCounts {
  readonly #redis: Redis;
  readonly #names: Pick<RedisNames, 'uses' | 'usedTokens'>;

  constructor(redis: Redis, names: Pick<RedisNames, 'uses' | 'usedTokens'>) {
    this.#redis = redis;
    this.#names = names;
  }

  /**
   * Takes the uses of each request, or none of that request.
   * @param tenantId of all of them
   * @returns for each the limit that it would exceed; undefined: its uses are taken
   * @throws any error of Redis: then it is unknown what was taken
   */
  async take(
    tenantId: string,
    wanted: readonly WantedUses[],
  ): Promise<readonly (ReachedLimit | undefined)[]> {
    const applications = new Map<string, { readonly number: number; readonly limits: UseLimits }>();
    const requests = wanted.map(({ limits, tokenIds }) => [
      limits.map((own) => numberOf(applications, own)),
      tokenIds.map(hashOf),
    ]);
    const known = [...applications.values()].map(({ limits }) => limits);
    const keys = known.flatMap(({ applicationId }) => this.#keysOf(tenantId, applicationId));
    const asked = JSON.stringify({
      applications: known.map((limits) => useLimitNames.map((name) => maximumOf(limits, name))),
      requests,
    });
    const outcomes = await this.#redis.eval(takeScript, keys.length, ...keys, asked);
    return (outcomes as [number, number, number][]).map(([application, limit, first]) => {
      const limits = known[application - 1];
      const name = useLimitNames[limit - 1];
      if (limits === undefined || name === undefined) return undefined;
      return {
        applicationId: limits.applicationId,
        name,
        maximum: maximumOf(limits, name),
        isFirst: first === 1,
      };
    });
  }

  /** Forgets what applications have used. @throws any error of Redis */
  async forget(tenantId: string, applicationIds: readonly string[]): Promise<void> {
    const keys = applicationIds.flatMap((id) => this.#keysOf(tenantId, id));
    if (keys.length > 0) await this.#redis.del(...keys);
  }

  #keysOf(tenantId: string, applicationId: string): [string, string] {
    return [this.#names.uses(tenantId, applicationId), this.#names.usedTokens(tenantId, applicationId)];
  }
}

/** From 1, in the order of their first mention. */
function numberOf(
  applications: Map<string, { readonly number: number; readonly limits: UseLimits }>,
  limits: UseLimits,
): number {
  const { applicationId } = limits;
  const known = applications.get(applicationId) ?? { number: applications.size + 1, limits };
  applications.set(applicationId, known);
  return known.number;
}

/** 0: none. */
function maximumOf({ usesPerHour = 0, distinctTokensPerHour = 0 }: UseLimits, name: UseLimitName): number {
  return name === 'uses_per_hour' ? usesPerHour : distinctTokensPerHour;
}

const hashBytes = 16;

/** Ids are of any length, and a client may have chosen them. */
function hashOf(tokenId: string): string {
  return createHash('sha256').update(tokenId).digest().subarray(0, hashBytes).toString('base64url');
}
