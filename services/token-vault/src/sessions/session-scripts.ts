/** Lua, each run by Redis as a whole. Times are milliseconds since the epoch. */

/**
 * KEYS nonce, waiting sessions of the application, the session's record, the same by its id;
 * ARGV now, expiry, most waiting, hash of the nonce, record, hash of the key, id, tenant's id, application's id.
 * Gives 0 if as many wait already.
 */
export const createScript = `
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[1])
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[3]) then return 0 end
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[4])
redis.call('HSET', KEYS[1], 'state', 'waiting', 'expires', ARGV[2], 'key', ARGV[6], 'id', ARGV[7], 'tenant', ARGV[8],
  'application', ARGV[9])
redis.call('SET', KEYS[3], ARGV[5])
redis.call('SET', KEYS[4], ARGV[5])
for _, key in ipairs(KEYS) do redis.call('PEXPIREAT', key, ARGV[2]) end
return 1
`;

/**
 * KEYS as of createScript; ARGV expiry, hash of the nonce, record, channel, names of the record.
 * Gives 1 to the one that authorizes it, 0 when that was done before, -1 when there is no such nonce any more.
 */
export const authorizeScript = `
local state = redis.call('HGET', KEYS[1], 'state')
if not state then return -1 end
if state ~= 'waiting' then return 0 end
redis.call('HSET', KEYS[1], 'state', 'authorized')
redis.call('ZREM', KEYS[2], ARGV[2])
redis.call('SET', KEYS[3], ARGV[3])
redis.call('SET', KEYS[4], ARGV[3])
for _, at in ipairs({1, 3, 4}) do redis.call('PEXPIREAT', KEYS[at], ARGV[1]) end
redis.call('PUBLISH', ARGV[4], ARGV[5])
return 1
`;

/** KEYS as of createScript; ARGV hash of the nonce. As if it had never been made. */
export const forgetScript = `
redis.call('ZREM', KEYS[2], ARGV[1])
return redis.call('DEL', KEYS[1], KEYS[3], KEYS[4])
`;
