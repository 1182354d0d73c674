import { MAX_EVENTS, MAX_SETTLED_BEFORE } from '../store.ts';
import { script } from './script.ts';
import type { Script } from './script.ts';

/**
 * Leases jobs. Arguments: holder, limit, length of the lease, jobs in hand. Returns the time and the
 * jobs, each as name, token, whether its run is settled, what the order knows, last position, what waits, whether
 * more of it follows, what is settled before. The event that the holder of an
 * expired lease had begun gets one more crash.
 */
export const TAKE: Script = script(
  'frees',
  `
local holder, limit, leaseFor = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local inHand, taken = {}, {}
for index = 4, #ARGV do inHand[ARGV[index]] = true end
local inHandCount = #ARGV - 3

local function countCrash(job)
  local begun = redis.call('HGET', jobKey(job), 'b')
  local event, position = nil, nil
  if begun then event, position = eventOf(job, begun, 'o') end
  if not event then return end
  event.crashes, event.due = event.crashes + 1, now
  redis.call('HSET', jobKey(job), position, format(event))
end

local function lease(job)
  local key = jobKey(job)
  local token = redis.call('HINCRBY', META, 'token', 1)
  local old = redis.call('HGET', key, 'h')
  if old then redis.call('SREM', holderKey(old), job) end
  redis.call('ZREM', DUE, job)
  redis.call('ZREM', DONE, job)
  redis.call('ZADD', LEASES, now + leaseFor, job)
  redis.call('SADD', holderKey(holder), job)
  redis.call('HSET', key, 't', token, 'h', holder)
  redis.call('HDEL', key, 'b', 'c', 'd')
  local known = redis.call('HMGET', key, 'n', 's', 'o')
  local waiting, hasMore, first = waitingAfter(job, nil)
  local before = redis.call(
    'ZREVRANGEBYLEX', placesKey(job), first and '(' .. first or '+', '-', 'LIMIT', 0, ${MAX_SETTLED_BEFORE + 1}
  )
  taken[#taken + 1] = {
    job, token, known[2] and 1 or 0, known[3], tonumber(known[1]), waiting, hasMore, eventsAt(job, before),
  }
end

if limit < 1 then return { now, taken } end
local own = {}
for _, job in ipairs(redis.call('SMEMBERS', holderKey(holder))) do
  if not inHand[job] then own[#own + 1] = job end
end
for _, job in ipairs(redis.call('ZRANGEBYSCORE', LEASES, '-inf', now)) do
  if #taken == limit then return { now, taken } end
  if not inHand[job] and redis.call('HGET', jobKey(job), 'h') ~= holder then
    countCrash(job)
    lease(job)
  end
end
for _, job in ipairs(own) do
  if #taken == limit then return { now, taken } end
  lease(job)
end
local due = redis.call('ZRANGEBYSCORE', DUE, '-inf', now, 'LIMIT', 0, limit - #taken + inHandCount)
for _, job in ipairs(due) do
  if #taken == limit then break end
  if not inHand[job] then lease(job) end
end
return { now, taken }
`,
);

/** Reads what came after a position. Arguments: job, token, position. Returns time, events, whether more follow. */
export const NEWS: Script = script(
  'frees',
  `
local job, token, after = ARGV[1], ARGV[2], tonumber(ARGV[3])
if not isHeld(job, token) then return false end
local last, places = tonumber(redis.call('HGET', jobKey(job), 'n')), {}
for position = after + 1, math.min(after + ${MAX_EVENTS}, last) do
  places[#places + 1] = string.format('%010d', position)
end
local hasMore = after + #places < last
if not hasMore then redis.call('HDEL', jobKey(job), 'c') end
return { now, eventsAt(job, places), hasMore and 1 or 0 }
`,
);

/** Reads what waits after a place. Arguments: job, token, place. Returns time, events, whether more follow. */
export const WAITING: Script = script(
  'reads',
  `
local job, token, after = unpack(ARGV, 1, 3)
if not isHeld(job, token) then return false end
local events, hasMore = waitingAfter(job, after)
return { now, events, hasMore }
`,
);

/** Reads the events around a place. Arguments: job, token, place, limit on each side. Returns time and events. */
export const NEAR: Script = script(
  'reads',
  `
local job, token, place, limit = unpack(ARGV, 1, 4)
if not isHeld(job, token) then return false end
local places = redis.call('ZREVRANGEBYLEX', placesKey(job), '(' .. place, '-', 'LIMIT', 0, limit)
local after = redis.call('ZRANGEBYLEX', placesKey(job), '[' .. place, '+', 'LIMIT', 0, limit)
for _, one in ipairs(after) do places[#places + 1] = one end
return { now, eventsAt(job, places) }
`,
);

/** Writes how events arrived. Arguments: job, token, then for each its id and a letter. Returns 1 when the lease is held. */
export const KEEP_ARRIVALS: Script = script(
  'frees',
  `
local job = ARGV[1]
if not isHeld(job, ARGV[2]) then return 0 end
for index = 3, #ARGV, 2 do
  local event, position = eventOf(job, ARGV[index], nil)
  if event then
    event.arrival = ARGV[index + 1]
    redis.call('HSET', jobKey(job), position, format(event))
  end
end
return 1
`,
);

/** Reads bodies of open events. Arguments: job, token, ids. Returns ids, each with its body. */
export const BODIES: Script = script(
  'reads',
  `
local found = {}
if not isHeld(ARGV[1], ARGV[2]) then return found end
for index = 3, #ARGV do
  local event, _, ref = eventOf(ARGV[1], ARGV[index], 'o')
  if event then
    found[#found + 1] = ARGV[index]
    found[#found + 1] = redis.call('GET', bodyKey(ref))
  end
end
return found
`,
);

/** Extends a lease. Arguments: job, token, length. Returns 1 when it is held. */
export const RENEW: Script = script(
  'frees',
  `
if not isHeld(ARGV[1], ARGV[2]) then return 0 end
redis.call('ZADD', LEASES, now + tonumber(ARGV[3]), ARGV[1])
return 1
`,
);

/** Records the event that is handled. Arguments: job, token, id. Returns 1 when the lease is held. */
export const BEGIN: Script = script(
  'frees',
  `
if not isHeld(ARGV[1], ARGV[2]) then return 0 end
redis.call('HSET', jobKey(ARGV[1]), 'b', ARGV[3])
return 1
`,
);

/** Returns the milliseconds until `TAKE` has a job; false for none. Arguments: holder, jobs in hand. */
export const NEXT_DUE: Script = script(
  'reads',
  `
local inHand, next = {}, nil
for index = 2, #ARGV do inHand[ARGV[index]] = true end
for _, job in ipairs(redis.call('SMEMBERS', holderKey(ARGV[1]))) do
  if not inHand[job] then return 0 end
end
for _, key in ipairs({ DUE, LEASES }) do
  local first = redis.call('ZRANGE', key, 0, #ARGV - 1, 'WITHSCORES')
  for index = 1, #first, 2 do
    if not inHand[first[index]] then
      next = math.min(next or math.huge, tonumber(first[index + 1]))
      break
    end
  end
end
return next and math.max(next - now, 0)
`,
);

/** Returns the names of all holders. */
export const HOLDERS: Script = script(
  'reads',
  `
local seen, holders = {}, {}
for _, job in ipairs(redis.call('ZRANGE', LEASES, 0, -1)) do
  local holder = redis.call('HGET', jobKey(job), 'h')
  if holder and not seen[holder] then
    seen[holder] = true
    holders[#holders + 1] = holder
  end
end
return holders
`,
);

/** Ends all leases of some holders. Arguments: their names. */
export const EXPIRE: Script = script(
  'frees',
  `
for _, holder in ipairs(ARGV) do
  for _, job in ipairs(redis.call('SMEMBERS', holderKey(holder))) do
    redis.call('ZADD', LEASES, 'XX', now, job)
  end
end
`,
);
