import { createHash } from 'node:crypto';

import type { Redis } from '@glovebox/platform/db/redis';

/** A Lua script: Redis runs it whole or not at all, and nothing else meanwhile. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

function script(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/**
 * Publishes entries of the outbox. Refuses when another publisher has set its fencing token since, and when the projection
 * is not whole up to the first of them: moving its marker then would hide what is missing. Answers with the numbers, from 1, of the
 * records whose place holds the same or a later version.
 * KEYS: fencing token, marker, signed marker, record…   ARGV: fencing token, installation id, number before, number
 * after, channel, names, tombstone lifetime (ms), signed marker, then for each record its value and 1 for a tombstone or 0.
 */
export const publishScript = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'fenced' end
local marker = redis.call('GET', KEYS[2])
if not marker or string.sub(marker, 1, #ARGV[2] + 1) ~= ARGV[2] .. ' ' then return 'not-whole' end
local number = tonumber(string.sub(marker, #ARGV[2] + 2))
if not number or number < tonumber(ARGV[3]) then return 'not-whole' end
local kept = {}
for i = 4, #KEYS do
  local value = ARGV[2 * i + 1]
  local version = tonumber(string.match(string.sub(value, 1, 21), '^(%d+):'))
  local present = string.match(redis.call('GETRANGE', KEYS[i], 0, 20), '^(%d+):')
  if not present or tonumber(present) < version then
    if ARGV[2 * i + 2] == '1' then
      redis.call('SET', KEYS[i], value, 'PX', ARGV[7])
    else
      redis.call('SET', KEYS[i], value)
    end
  else
    kept[#kept + 1] = i - 3
  end
end
if number < tonumber(ARGV[4]) then redis.call('SET', KEYS[2], ARGV[2] .. ' ' .. ARGV[4]) end
redis.call('SET', KEYS[3], ARGV[8])
redis.call('PUBLISH', ARGV[5], ARGV[6])
return kept
`);

/**
 * Overwrites a record that control-api has not signed, if it is still there.
 * KEYS: fencing token, record   ARGV: fencing token, SHA-1 of the bytes, value, lifetime (ms; 0: for ever), channel, name
 */
export const overwriteScript = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'fenced' end
local present = redis.call('GET', KEYS[2])
if not present or redis.sha1hex(present) ~= ARGV[2] then return 'changed' end
if ARGV[4] == '0' then
  redis.call('SET', KEYS[2], ARGV[3])
else
  redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[4])
end
redis.call('PUBLISH', ARGV[5], ARGV[6])
return 'written'
`);

/** Writes records as they are: the database is the truth. KEYS: fencing token, record…   ARGV: fencing token, value… */
export const writeScript = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'fenced' end
for i = 2, #KEYS do redis.call('SET', KEYS[i], ARGV[i]) end
return 'written'
`);

/** KEYS: fencing token, key…   ARGV: fencing token */
export const removeScript = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'fenced' end
for i = 2, #KEYS do redis.call('DEL', KEYS[i]) end
return 'removed'
`);

/**
 * Marks the projection as whole. KEYS: fencing token, marker, signed marker ARGV: fencing token, marker, signed marker,
 * channel, names
 */
export const markScript = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'fenced' end
redis.call('SET', KEYS[2], ARGV[2])
redis.call('SET', KEYS[3], ARGV[3])
redis.call('PUBLISH', ARGV[4], ARGV[5])
return 'marked'
`);

/**
 * Writes new signatures under records that are still of the same version, and under those that are gone: a change of any
 * other is on its way. KEYS: fencing token, signed marker, record…   ARGV: fencing token, signed marker, value…
 */
export const resignScript = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'fenced' end
redis.call('SET', KEYS[2], ARGV[2])
for i = 3, #KEYS do
  local present = redis.call('GETRANGE', KEYS[i], 0, 20)
  if present == '' or string.match(present, '^(%d+):') == string.match(string.sub(ARGV[i], 1, 21), '^(%d+):') then
    redis.call('SET', KEYS[i], ARGV[i])
  end
end
return 'written'
`);

/** KEYS: signed marker   ARGV: the one that is replaced, the new one */
export const replaceMarkerScript = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'changed' end
redis.call('SET', KEYS[1], ARGV[2])
return 'replaced'
`);

export async function runScript(
  redis: Redis,
  { text, sha }: Script,
  keys: readonly string[],
  args: readonly (string | Buffer | number)[],
): Promise<unknown> {
  const rest = [keys.length, ...keys, ...args];
  try {
    return await redis.call('EVALSHA', [sha, ...rest]);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return redis.call('EVAL', [text, ...rest]);
  }
}
