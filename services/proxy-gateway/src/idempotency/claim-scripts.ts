/**
 * A claim is a hash: `fence`, the token of the request that made it; `until`, by Redis' own clock in milliseconds, when
 * that request will be taken for lost unless it has said that it lives; `answer`, sealed, in base64, once there is one.
 * Redis runs a script whole or not at all. KEYS: the claim.
 */
const now = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** ARGV: fence, lease, lifetime (ms). Gives what there is, and the answer if that is one. */
export const takeScript = `${now}
local found = redis.call('HMGET', KEYS[1], 'fence', 'until', 'answer')
if not found[1] then
  redis.call('HSET', KEYS[1], 'fence', ARGV[1], 'until', now + ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return {'taken'}
end
if found[3] then return {'answered', found[3]} end
if tonumber(found[2]) > now then return {'running'} end
return {'unknown'}`;

const owned = `if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[1] then return 0 end`;

/** ARGV: fence, lease (ms); no lease: what becomes of the request is not known. */
export const leaseScript = `${owned}
${now}
return redis.call('HSET', KEYS[1], 'until', now + ARGV[2])`;

/** ARGV: fence, sealed answer (nothing: too large to be kept), lifetime (ms). */
export const answerScript = `${owned}
redis.call('HSET', KEYS[1], 'answer', ARGV[2])
return redis.call('PEXPIRE', KEYS[1], ARGV[3])`;

/** ARGV: fence. */
export const releaseScript = `${owned}
return redis.call('DEL', KEYS[1])`;
