/** Lua scripts, each atomic. Times are milliseconds since the epoch, sizes are bytes. */

/**
 * KEYS request, open, open of the tenant, kept, sizes;
 * ARGV id, now, lifetime, sealed arguments, the most open of all, of the tenant, the most bytes of the tenant, its id,
 * reactor's id, application's id. Gives how many the tenant has open now, or which limit is reached.
 */
export const acceptScript = `
local now, life, size = tonumber(ARGV[2]), tonumber(ARGV[3]), #ARGV[4]
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', now, 'LIMIT', 0, 1000)) do
  redis.call('HINCRBY', KEYS[5], 'total', -tonumber(redis.call('HGET', KEYS[5], id) or 0))
  redis.call('HDEL', KEYS[5], id)
  redis.call('ZREM', KEYS[4], id)
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - life)
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now - life)
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[5]) then return -1 end
if redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[6]) then return -2 end
if tonumber(redis.call('HGET', KEYS[5], 'total') or 0) + size > tonumber(ARGV[7]) then return -3 end
redis.call('HSET', KEYS[1], 'state', 'open', 'tenant', ARGV[8], 'reactor', ARGV[9], 'application', ARGV[10], 'arguments', ARGV[4])
redis.call('ZADD', KEYS[2], now, ARGV[1])
redis.call('ZADD', KEYS[3], now, ARGV[1])
redis.call('ZADD', KEYS[4], now + life, ARGV[1])
redis.call('HSET', KEYS[5], ARGV[1], size)
redis.call('HINCRBY', KEYS[5], 'total', size)
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, life) end
return redis.call('ZCARD', KEYS[3])
`;

/** KEYS request; ARGV attempt. Gives 1 for the one attempt that may run the code. */
export const beginScript = `
if redis.call('HGET', KEYS[1], 'state') ~= 'open' then return 0 end
return redis.call('HSETNX', KEYS[1], 'begun', ARGV[1])
`;

/** KEYS request; ARGV attempt. */
export const releaseScript = `
if redis.call('HGET', KEYS[1], 'begun') ~= ARGV[1] then return 0 end
return redis.call('HDEL', KEYS[1], 'begun')
`;

/**
 * KEYS as of acceptScript; ARGV id, now, lifetime, attempt or *, state, sealed outcome, ending.
 * Gives 1 unless there is an outcome already, or another attempt has begun; * is for any that has.
 */
export const settleScript = `
if redis.call('HGET', KEYS[1], 'state') ~= 'open' then return 0 end
local begun = redis.call('HGET', KEYS[1], 'begun')
if ARGV[4] == '*' then
  if not begun then return 0 end
elseif begun and begun ~= ARGV[4] then
  return 0
end
local life, size = tonumber(ARGV[3]), #ARGV[6]
redis.call('HDEL', KEYS[1], 'arguments')
redis.call('HSET', KEYS[1], 'state', ARGV[5], 'outcome', ARGV[6], 'ending', ARGV[7])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZADD', KEYS[4], tonumber(ARGV[2]) + life, ARGV[1])
redis.call('HINCRBY', KEYS[5], 'total', size - tonumber(redis.call('HGET', KEYS[5], ARGV[1]) or 0))
redis.call('HSET', KEYS[5], ARGV[1], size)
for _, key in ipairs({KEYS[1], KEYS[4], KEYS[5]}) do redis.call('PEXPIRE', key, life) end
return 1
`;

/** KEYS as of acceptScript; ARGV id. As if it had never been accepted. */
export const forgetScript = `
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('HINCRBY', KEYS[5], 'total', -tonumber(redis.call('HGET', KEYS[5], ARGV[1]) or 0))
redis.call('HDEL', KEYS[5], ARGV[1])
return 1
`;
