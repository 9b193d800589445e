/** Lua scripts. Times are milliseconds since the epoch. */

/** Keeps a set of sessions until its last session expires. */
const keepUntilLast = `
local function keepUntilLast(key)
  local last = redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')
  if last[2] then redis.call('PEXPIREAT', key, last[2]) end
end
`;

/**
 * KEYS nonce, the record by key hash, the record by id, waiting sessions of the application, all of the tenant;
 * ARGV now, expiry, most waiting, most of the tenant, hash of the nonce, both records, hash of the key, id, tenant's id,
 * application's id, tag of the nonce. Returns 0 if too many wait, -1 if the tenant has too many.
 */
export const createScript = `${keepUntilLast}
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[5], '-inf', ARGV[1])
if redis.call('ZCARD', KEYS[4]) >= tonumber(ARGV[3]) then return 0 end
if redis.call('ZCARD', KEYS[5]) >= tonumber(ARGV[4]) then return -1 end
redis.call('HSET', KEYS[1], 'state', 'waiting', 'expires', ARGV[2], 'key', ARGV[8], 'id', ARGV[9], 'tenant', ARGV[10],
  'application', ARGV[11], 'tag', ARGV[12])
redis.call('SET', KEYS[2], ARGV[6])
redis.call('SET', KEYS[3], ARGV[7])
for i = 1, 3 do redis.call('PEXPIREAT', KEYS[i], ARGV[2]) end
for i = 4, 5 do
  redis.call('ZADD', KEYS[i], ARGV[2], ARGV[5])
  keepUntilLast(KEYS[i])
end
return 1
`;

/**
 * KEYS as of createScript; ARGV expiry, hash of the nonce, both records, channel, names of the record. Returns 1 on
 * success, 0 if it was authorized before, -1 if the nonce is unknown.
 */
export const authorizeScript = `${keepUntilLast}
local state = redis.call('HGET', KEYS[1], 'state')
if not state then return -1 end
if state ~= 'waiting' then return 0 end
redis.call('HSET', KEYS[1], 'state', 'authorized')
redis.call('SET', KEYS[2], ARGV[3])
redis.call('SET', KEYS[3], ARGV[4])
for i = 1, 3 do redis.call('PEXPIREAT', KEYS[i], ARGV[1]) end
redis.call('ZREM', KEYS[4], ARGV[2])
redis.call('ZADD', KEYS[5], ARGV[1], ARGV[2])
keepUntilLast(KEYS[5])
redis.call('PUBLISH', ARGV[5], ARGV[6])
return 1
`;

/** KEYS as of createScript; ARGV hash of the nonce. Undoes createScript. */
export const forgetScript = `
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('ZREM', KEYS[5], ARGV[1])
return redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
`;
