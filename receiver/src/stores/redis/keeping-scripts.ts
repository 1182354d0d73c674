import { script } from './script.ts';
import type { Script } from './script.ts';

/** Returns open, due, in hand, dead and settled as numbers, and the age of the oldest open event. */
export const STATS: Script = script(
  'reads',
  `
local oldest = redis.call('ZRANGE', OPEN, 0, 0, 'WITHSCORES')
local after = '(' .. string.format('%d', now)
return {
  redis.call('ZCARD', OPEN),
  redis.call('ZCOUNT', DUE, '-inf', now) + redis.call('ZCOUNT', LEASES, '-inf', now),
  redis.call('ZCOUNT', LEASES, after, '+inf'),
  redis.call('ZCARD', DEAD),
  tonumber(redis.call('HGET', META, 'settled')) or 0,
  oldest[2] and math.max(now - tonumber(oldest[2]), 0),
}
`,
);

/** Describes an event. Argument: id. Returns job, record and error; false for an unknown id. */
export const INSPECT: Script = script(
  'reads',
  `
local ref = redis.call('GET', idKey(ARGV[1]))
if not ref then return false end
local position, job = placeOf(ref)
return { job, redis.call('HGET', jobKey(job), position), redis.call('HGET', ERRORS, ref) }
`,
);

/** Returns the records of a job. Argument: job. */
export const HISTORY: Script = script(
  'reads',
  `return records(ARGV[1], 1, tonumber(redis.call('HGET', jobKey(ARGV[1]), 'n')) or 0)`,
);

/**
 * Lists open events. Arguments: time and place of the last one before, limit. Returns for each its job, record
 * and error, the end of the lease of its job or false, and the time at which that is due or false; and first the
 * time.
 */
export const OPEN_EVENTS: Script = script(
  'reads',
  `
local found, start = { now }, 0
if ARGV[2] ~= '' then
  local rank = redis.call('ZRANK', OPEN, ARGV[2])
  -- Handled since then: those of the same time come again.
  start = rank and rank + 1 or redis.call('ZCOUNT', OPEN, '-inf', '(' .. ARGV[1])
end
for _, ref in ipairs(redis.call('ZRANGE', OPEN, start, start + tonumber(ARGV[3]) - 1)) do
  local position, job = placeOf(ref)
  found[#found + 1] = {
    job, redis.call('HGET', jobKey(job), position), redis.call('HGET', ERRORS, ref),
    redis.call('ZSCORE', LEASES, job), redis.call('ZSCORE', DUE, job), ref,
  }
end
return found
`,
);

/** Pauses a name. Argument: name. */
export const PAUSE: Script = script('writes', `return redis.call('SADD', PAUSED, ARGV[1])`);

/** Ends a pause. Argument: name. */
export const RESUME: Script = script('frees', `return redis.call('SREM', PAUSED, ARGV[1])`);

/** Returns the names that are paused. */
export const READ_PAUSED: Script = script('reads', `return redis.call('SMEMBERS', PAUSED)`);

/** Lists dead letters. Arguments: sequence of the last one before, limit. Returns jobs, records, errors. */
export const DEAD_LETTERS: Script = script(
  'reads',
  `
local found = {}
local refs = redis.call('ZRANGEBYSCORE', DEAD, '(' .. ARGV[1], '+inf', 'LIMIT', 0, ARGV[2])
for _, ref in ipairs(refs) do
  local position, job = placeOf(ref)
  found[#found + 1] = { job, redis.call('HGET', jobKey(job), position), redis.call('HGET', ERRORS, ref) }
end
return found
`,
);

const REOPEN = `
local count = 0
local function reopen(ref, sender)
  local position, job = placeOf(ref)
  local key = jobKey(job)
  local event = parse(redis.call('HGET', key, position))
  event.state, event.attempts, event.crashes, event.due = 'o', 0, 0, 0
  redis.call('HSET', key, position, format(event))
  redis.call('ZREM', DEAD, ref)
  redis.call('ZADD', OPEN, event.received, ref)
  if redis.call('HGET', key, 't') then
    redis.call('HSET', key, 'c', 1)
  else
    wakeUnlessDue(sender)
    redis.call('ZADD', DUE, 'LT', now, job)
  end
  count = count + 1
end
local function hasReason(ref, reason)
  local err = redis.call('HGET', ERRORS, ref)
  return reason == '' or string.sub(err, 1, #reason + 1) == reason .. ','
end
`;

/** Opens dead letters by id. Arguments: name of the caller, reason, job, ids. Returns how many. */
export const REDRIVE_IDS: Script = script(
  'writes',
  `${REOPEN}
for index = 4, #ARGV do
  local job = ARGV[3] ~= '' and ARGV[3]
  local event, _, ref = eventOf(job, ARGV[index], 'd')
  if event and hasReason(ref, ARGV[2]) then reopen(ref, ARGV[1]) end
end
return count
`,
);

/**
 * Opens some of the next dead letters. Arguments: name of the caller, reason, job, sequence of the
 * last one before, how many to look at. Returns the number opened, and the sequence to continue after.
 */
export const REDRIVE_SOME: Script = script(
  'writes',
  `${REOPEN}
local found = redis.call('ZRANGEBYSCORE', DEAD, '(' .. ARGV[4], '+inf', 'WITHSCORES', 'LIMIT', 0, ARGV[5])
for index = 1, #found, 2 do
  local _, job = placeOf(found[index])
  local isOfJob = ARGV[3] == '' or job == ARGV[3]
  if isOfJob and hasReason(found[index], ARGV[2]) then reopen(found[index], ARGV[1]) end
end
return { count, found[#found] or false }
`,
);

/** Settles a dead letter. Argument: id. Returns 1, or 0 when it is none. */
export const DISCARD: Script = script(
  'frees',
  `
local event, position, ref, job = eventOf(nil, ARGV[1], 'd')
if not event then return 0 end
local key = jobKey(job)
event.state, event.crashes, event.due = 's', 0, 0
redis.call('HSET', key, position, format(event))
redis.call('ZREM', DEAD, ref)
redis.call('DEL', bodyKey(ref))
redis.call('ZREM', waitingKey(job), placeIn(event, position))
redis.call('HINCRBY', META, 'settled', 1)
if redis.call('HINCRBY', key, 'u', -1) == 0 and not redis.call('HGET', key, 't') then
  local last = redis.call('HGET', key, redis.call('HGET', key, 'n'))
  redis.call('ZADD', DONE, parse(last).received, job)
end
return 1
`,
);

/** Forgets some old jobs. Arguments: age, number of events. Returns the number of events. */
export const PURGE: Script = script(
  'frees',
  `
local count, before = 0, '(' .. string.format('%d', now - tonumber(ARGV[1]))
for _, job in ipairs(redis.call('ZRANGEBYSCORE', DONE, '-inf', before, 'LIMIT', 0, 100)) do
  if count >= tonumber(ARGV[2]) then break end
  local key = jobKey(job)
  local found = records(job, 1, tonumber(redis.call('HGET', key, 'n')))
  for position, record in ipairs(found) do
    redis.call('DEL', idKey(idIn(parse(record))))
    redis.call('HDEL', ERRORS, refOf(position, job))
  end
  redis.call('UNLINK', key, placesKey(job), waitingKey(job))
  redis.call('ZREM', DONE, job)
  redis.call('ZREM', DUE, job)
  count = count + #found
end
if count > 0 then redis.call('HINCRBY', META, 'settled', -count) end
return count
`,
);
