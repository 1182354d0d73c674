import { FIRST_CONTRADICTION } from '../../order/order-key.ts';
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

/** Describes an event. Argument: id. Returns job, record, error, and until when its body is kept; false for an unknown id. */
export const INSPECT: Script = script(
  'reads',
  `
local ref = redis.call('GET', idKey(ARGV[1]))
if not ref then return false end
local position, job = placeOf(ref)
return {
  job, redis.call('HGET', jobKey(job), position), redis.call('HGET', ERRORS, ref),
  redis.call('ZSCORE', EXPIRING, ref),
}
`,
);

/** Returns the records of a job. Argument: job. */
export const HISTORY: Script = script(
  'reads',
  `return records(ARGV[1], 1, tonumber(redis.call('HGET', jobKey(ARGV[1]), 'n')) or 0)`,
);

/**
 * Lists open events. Arguments: time and place of the last one before, limit, run or nothing. Returns for each its job,
 * record and error, the end of the lease of its job or false, and the time at which that is due or false; and first the
 * time.
 */
export const OPEN_EVENTS: Script = script(
  'reads',
  `
local function openIn(after, ref, limit)
  local start = 0
  if ref ~= '' then
    local rank = redis.call('ZRANK', OPEN, ref)
    -- Handled since then: those of the same time come again.
    start = rank and rank + 1 or redis.call('ZCOUNT', OPEN, '-inf', '(' .. after)
  end
  return redis.call('ZRANGE', OPEN, start, start + limit - 1)
end
local function openOf(job, after, last, limit)
  local found, refs = {}, {}
  for _, place in ipairs(redis.call('ZRANGE', waitingKey(job), 0, -1)) do
    local ref = refOf(positionIn(place), job)
    local at = redis.call('ZSCORE', OPEN, ref)
    at = at and tonumber(at)
    if at and (last == '' or at > tonumber(after) or at == tonumber(after) and ref > last) then
      found[#found + 1] = { at, ref }
    end
  end
  table.sort(found, function(left, right)
    return left[1] < right[1] or left[1] == right[1] and left[2] < right[2]
  end)
  for index = 1, math.min(#found, limit) do refs[index] = found[index][2] end
  return refs
end
local after, last, limit, run = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
local found = { now }
local refs = run == '' and openIn(after, last, limit) or openOf('run:' .. run, after, last, limit)
for _, ref in ipairs(refs) do
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

/** Ends a pause. Argument: name. Leased jobs are due when they are released. Returns 0 when there was no such pause. */
export const RESUME: Script = script(
  'frees',
  `
if redis.call('SREM', PAUSED, ARGV[1]) == 0 then return 0 end
for _, job in ipairs(redis.call('ZRANGE', LEASES, 0, -1)) do redis.call('HSET', jobKey(job), 'd', 1) end
return 1
`,
);

/** Makes some jobs due that wait for a time. Arguments: name of the caller, maximum number. Returns the number. */
export const MAKE_DUE: Script = script(
  'frees',
  `
wakeUnlessDue(ARGV[1])
local after = '(' .. string.format('%d', now)
local jobs = redis.call('ZRANGEBYSCORE', DUE, after, '+inf', 'LIMIT', 0, ARGV[2])
for _, job in ipairs(jobs) do redis.call('ZADD', DUE, now, job) end
return #jobs
`,
);

/** Returns the time. */
export const NOW: Script = script('reads', `return now`);

/** Returns the names that are paused. */
export const READ_PAUSED: Script = script('reads', `return redis.call('SMEMBERS', PAUSED)`);

/**
 * Chooses some of the next dead letters after a sequence: those of one job among its events, others by looking at 500 of
 * all or of an automation. Returns where they are, and the sequence of the last one that it looked at; false at the end.
 */
const CHOOSE = `
local function hasReason(ref, reason)
  return reason == '' or string.sub(redis.call('HGET', ERRORS, ref), 1, #reason + 1) == reason .. ','
end
local function isOf(job, automation)
  return automation == '' or automationOf(job) == automation
end
local function deadAfter(after, most, reason, job, automation)
  local candidates, chosen, last = {}, {}, false
  if job ~= '' then
    for _, place in ipairs(redis.call('ZRANGE', waitingKey(job), 0, -1)) do
      local position = positionIn(place)
      local event = parse(redis.call('HGET', jobKey(job), position))
      if event.state == 'd' and event.sequence > tonumber(after) then
        candidates[#candidates + 1] = { refOf(position, job), event.sequence }
      end
    end
    table.sort(candidates, function(left, right) return left[2] < right[2] end)
  else
    local key = automation == '' and DEAD or deadKey(automation)
    local found = redis.call('ZRANGEBYSCORE', key, '(' .. after, '+inf', 'WITHSCORES', 'LIMIT', 0, 500)
    for index = 1, #found, 2 do
      candidates[#candidates + 1] = { found[index], tonumber(found[index + 1]) }
    end
  end
  for _, candidate in ipairs(candidates) do
    if #chosen == most then return chosen, last end
    last = candidate[2]
    local _, found = placeOf(candidate[1])
    if isOf(found, automation) and hasReason(candidate[1], reason) then chosen[#chosen + 1] = candidate[1] end
  end
  return chosen, job == '' and #candidates == 500 and last
end
`;

/**
 * Lists dead letters. Arguments: sequence of the last one before, limit, reason, job, automation; the last three may be
 * empty. Returns the sequence to continue after or false, and then jobs, records, errors.
 */
export const DEAD_LETTERS: Script = script(
  'reads',
  `${CHOOSE}
local chosen, last = deadAfter(ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5])
local found = { last }
for _, ref in ipairs(chosen) do
  local position, job = placeOf(ref)
  found[#found + 1] = { job, redis.call('HGET', jobKey(job), position), redis.call('HGET', ERRORS, ref) }
end
return found
`,
);

/**
 * Lists runs, the newest first. Arguments: sequence of the last one before, limit, automation or nothing. Returns for
 * each its name, sequence, automation, first record, last one that is no contradiction, and how many events it has, how many are not
 * settled and how many are dead letters.
 */
export const LIST_RUNS: Script = script(
  'reads',
  `
local found, key = {}, ARGV[3] == '' and RUNS or runsKey(ARGV[3])
local jobs = redis.call('ZREVRANGEBYSCORE', key, '(' .. ARGV[1], '-inf', 'WITHSCORES', 'LIMIT', 0, ARGV[2])
for index = 1, #jobs, 2 do
  local job, dead = jobs[index], 0
  local known = redis.call('HMGET', jobKey(job), 'a', '1', 'n', 'u')
  if tonumber(known[4]) > 0 then
    for _, place in ipairs(redis.call('ZRANGE', waitingKey(job), 0, -1)) do
      local record = redis.call('HGET', jobKey(job), positionIn(place))
      if string.sub(record, 1, 1) == 'd' then dead = dead + 1 end
    end
  end
  local place = redis.call('ZREVRANGEBYLEX', placesKey(job), '(${FIRST_CONTRADICTION}', '-', 'LIMIT', 0, 1)[1]
  local last = place and redis.call('HGET', jobKey(job), positionIn(place))
  found[#found + 1] = { job, jobs[index + 1], known[1], known[2], last or false, tonumber(known[3]), tonumber(known[4]), dead }
end
return found
`,
);

/** Returns the body of an event. Argument: id. */
export const BODY: Script = script(
  'reads',
  `
local ref = redis.call('GET', idKey(ARGV[1]))
return ref and redis.call('GET', bodyKey(ref))
`,
);

/** Two scripts that do the same with each dead letter at `ref` that they choose. */
export interface DeadLetterScripts {
  /** Arguments: name of the caller, reason, job, automation, ids. Returns how many. */
  readonly byId: Script;
  /**
   * Looks at some of the next dead letters. Arguments: name of the caller, reason, job, automation, sequence of the
   * last one before. Returns how many match, and the sequence to continue after or false.
   */
  readonly some: Script;
}

function deadLetterScripts(kind: Parameters<typeof script>[0], change: string): DeadLetterScripts {
  const all = `${CHOOSE}
local sender, count = ARGV[1], 0
local function change(ref)
  count = count + 1
  ${change}
end
`;
  return {
    byId: script(
      kind,
      `${all}
for index = 5, #ARGV do
  local job = ARGV[3] ~= '' and ARGV[3]
  local event, _, ref, found = eventOf(job, ARGV[index], 'd')
  if event and isOf(found, ARGV[4]) and hasReason(ref, ARGV[2]) then change(ref) end
end
return count
`,
    ),
    some: script(
      kind,
      `${all}
local chosen, last = deadAfter(ARGV[5], 500, ARGV[2], ARGV[3], ARGV[4])
for _, ref in ipairs(chosen) do change(ref) end
return { count, last and string.format('%d', last) }
`,
    ),
  };
}

export const COUNT_DEAD: DeadLetterScripts = deadLetterScripts('reads', '');

export const REDRIVE: DeadLetterScripts = deadLetterScripts(
  'writes',
  `
  local position, job = placeOf(ref)
  local key = jobKey(job)
  local event = parse(redis.call('HGET', key, position))
  event.state, event.attempts, event.crashes, event.due = 'o', 0, 0, 0
  redis.call('HSET', key, position, format(event))
  removeDead(job, ref)
  redis.call('ZADD', OPEN, event.received, ref)
  makeDue(job, sender)
`,
);

export const DISCARD: DeadLetterScripts = deadLetterScripts(
  'frees',
  `
  local position, job = placeOf(ref)
  local key = jobKey(job)
  local event = parse(redis.call('HGET', key, position))
  event.state, event.crashes, event.due = 's', 0, 0
  redis.call('HSET', key, position, format(event))
  removeDead(job, ref)
  redis.call('DEL', bodyKey(ref))
  redis.call('ZREM', waitingKey(job), placeIn(event, position))
  redis.call('HINCRBY', META, 'settled', 1)
  if redis.call('HINCRBY', key, 'u', -1) == 0 and not redis.call('HGET', key, 't') then addDone(job) end
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
    local ref = refOf(position, job)
    redis.call('DEL', idKey(idIn(parse(record))), bodyKey(ref))
    redis.call('HDEL', ERRORS, ref)
    forgetKept(job, position, ref)
  end
  redis.call('ZREM', RUNS, job)
  local automation = automationOf(job)
  if automation then redis.call('ZREM', runsKey(automation), job) end
  redis.call('UNLINK', key, placesKey(job), waitingKey(job))
  redis.call('ZREM', DONE, job)
  redis.call('ZREM', DUE, job)
  count = count + #found
end
if count > 0 then redis.call('HINCRBY', META, 'settled', -count) end
return count
`,
);

/** Deletes some bodies whose time is over. Argument: number. Returns how many. */
export const PURGE_BODIES: Script = script(
  'frees',
  `
local refs = redis.call('ZRANGEBYSCORE', EXPIRING, '-inf', now, 'LIMIT', 0, ARGV[1])
for _, ref in ipairs(refs) do
  local position, job = placeOf(ref)
  redis.call('DEL', bodyKey(ref))
  forgetKept(job, position, ref)
end
return #refs
`,
);
