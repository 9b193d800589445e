import type { Redis } from '@glovebox/platform/db/redis';

/** KEYS the hash; ARGV milliseconds to keep it, and then fields with their counts. */
const script = `
for at = 2, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], ARGV[at], ARGV[at + 1]) end
return redis.call('PEXPIRE', KEYS[1], ARGV[1])`;

/** Adds counts to the fields of one hash, which is then kept for so long. */
export async function addCounts(
  redis: Redis,
  key: string,
  keptMs: number,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  await redis.eval(script, 1, key, keptMs, ...[...counts].flat());
}
