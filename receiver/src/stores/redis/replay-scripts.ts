import { script } from './script.ts';
import type { Script } from './script.ts';

/** The filter is job, automation, handler, since and until, each of them empty when it does not matter. */
const REPLAY = `
local count = 0
local sender, isDry, wantedJob, automation, handler = ARGV[1], ARGV[2] == '1', ARGV[3], ARGV[4], ARGV[5]
local since, before = tonumber(ARGV[6]), tonumber(ARGV[7])

local function isChosen(job, event)
  if wantedJob ~= '' and job ~= wantedJob then return false end
  if automation ~= '' and automationOf(job) ~= automation then return false end
  if since and event.received < since or before and event.received >= before then return false end
  if handler == '' then return true end
  local details = cjson.decode(string.match(event.rest, '^%d*\\n[^\\n]*\\n(.*)$'))
  return details[3] == handler
end

local function replay(ref)
  local expires = redis.call('ZSCORE', EXPIRING, ref)
  if not expires or tonumber(expires) <= now then return end
  -- Somebody may have erased it.
  if redis.call('EXISTS', bodyKey(ref)) == 0 then return end
  local position, job = placeOf(ref)
  local key = jobKey(job)
  local event = parse(redis.call('HGET', key, position))
  if not isChosen(job, event) then return end
  count = count + 1
  if isDry then return end
  event.state, event.attempts, event.crashes, event.due, event.replay = 'o', 0, 0, 0, 1
  redis.call('HSET', key, position, format(event))
  redis.call('HINCRBY', key, 'u', 1)
  if redis.call('HGET', key, 's') == idIn(event) then redis.call('HDEL', key, 's') end
  forgetKept(job, position, ref)
  redis.call('ZADD', OPEN, event.received, ref)
  redis.call('ZADD', waitingKey(job), 0, placeIn(event, position))
  redis.call('ZREM', DONE, job)
  redis.call('HINCRBY', META, 'settled', -1)
  makeDue(job, sender)
end
`;

/**
 * Opens settled events by id, or counts them. Arguments: name of the caller, 1 to count, filter, ids. It takes all
 * ids at once, so that a run is opened as a whole: else its later events could be handled before its earlier ones.
 */
export const REPLAY_IDS: Script = script(
  'writes',
  `${REPLAY}
for index = 8, #ARGV do
  local ref = redis.call('GET', idKey(ARGV[index]))
  if ref then replay(ref) end
end
return count
`,
);

/**
 * Opens settled events of the next jobs, or counts them, until it has looked at 500. Arguments: name of the caller, 1
 * to count, filter, the last job before. Returns the number, and the job to continue after; false at the end.
 */
export const REPLAY_SOME: Script = script(
  'writes',
  `${REPLAY}
local function replayAll(job)
  local positions = redis.call('SMEMBERS', keptInKey(job))
  for _, position in ipairs(positions) do replay(refOf(position, job)) end
  return #positions
end

if wantedJob ~= '' then
  replayAll(wantedJob)
  return { count, false }
end
local seen, key = 0, automation == '' and KEPT or keptKey(automation)
local jobs = redis.call('ZRANGEBYLEX', key, ARGV[8] == '' and '-' or '(' .. ARGV[8], '+', 'LIMIT', 0, 500)
for _, job in ipairs(jobs) do
  seen = seen + replayAll(job)
  if seen >= 500 then return { count, job } end
end
return { count, false }
`,
);
