/**
 * Takes the uses of several requests in their order, each as a whole or not at all. Uses are counted by minute, and a
 * minute counts until it is entirely more than an hour ago: so no 60 minutes ever hold more than a limit.
 *
 * KEYS of each application: its uses by minute (a hash), and its tokens by the minute of their last use (a sorted set).
 * ARGV[1], as JSON: `applications`, each `[uses per hour, distinct tokens per hour]`, 0 for no limit; and `requests`,
 * each `[numbers of its applications, hashes of its tokens]`.
 * Returns for each request the number of the application whose limit it would exceed (0: none), which of the two limits
 * that is, and 1 if this application has not reached it earlier in this minute. Numbers count from 1.
 */
export const takeScript = `
local asked = cjson.decode(ARGV[1])
local minute = math.floor(tonumber(redis.call('TIME')[1]) / 60)
local oldest = minute - 60
local kept = 62 * 60

local counted = {}
for i, limits in ipairs(asked.applications) do
  local uses, tokens = 0, 0
  if limits[1] > 0 then
    local fields = redis.call('HGETALL', KEYS[2 * i - 1])
    for f = 1, #fields, 2 do
      local at = tonumber(fields[f])
      if at and at < oldest then
        redis.call('HDEL', KEYS[2 * i - 1], fields[f])
      elseif at then
        uses = uses + tonumber(fields[f + 1])
      end
    end
  end
  if limits[2] > 0 then
    redis.call('ZREMRANGEBYSCORE', KEYS[2 * i], '-inf', oldest - 1)
    tokens = redis.call('ZCARD', KEYS[2 * i])
  end
  counted[i] = { uses, tokens }
end

local function fresh(i, tokens)
  local count = 0
  for _, token in ipairs(tokens) do
    if not redis.call('ZSCORE', KEYS[2 * i], token) then count = count + 1 end
  end
  return count
end

local function reached(of, tokens)
  for _, i in ipairs(of) do
    local limits = asked.applications[i]
    if limits[1] > 0 and counted[i][1] + #tokens > limits[1] then return i, 1 end
    if limits[2] > 0 and counted[i][2] + fresh(i, tokens) > limits[2] then return i, 2 end
  end
  return 0, 0
end

local function isFirst(i, limit)
  local field = 'reached-' .. limit
  if redis.call('HGET', KEYS[2 * i - 1], field) == tostring(minute) then return 0 end
  redis.call('HSET', KEYS[2 * i - 1], field, minute)
  redis.call('EXPIRE', KEYS[2 * i - 1], kept)
  return 1
end

local function take(i, tokens)
  local limits = asked.applications[i]
  if limits[1] > 0 then
    counted[i][1] = counted[i][1] + #tokens
    redis.call('HINCRBY', KEYS[2 * i - 1], minute, #tokens)
    redis.call('EXPIRE', KEYS[2 * i - 1], kept)
  end
  if limits[2] > 0 then
    for _, token in ipairs(tokens) do
      counted[i][2] = counted[i][2] + redis.call('ZADD', KEYS[2 * i], minute, token)
    end
    redis.call('EXPIRE', KEYS[2 * i], kept)
  end
end

local outcomes = {}
for n, request in ipairs(asked.requests) do
  local of, tokens = request[1], request[2]
  local i, limit = reached(of, tokens)
  if i == 0 then
    for _, each in ipairs(of) do take(each, tokens) end
    outcomes[n] = { 0, 0, 0 }
  else
    outcomes[n] = { i, limit, isFirst(i, limit) }
  end
end
return outcomes
`;
