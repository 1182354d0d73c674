import { script } from './script.ts';
import type { Script } from './script.ts';

/**
 * Accepts events. Arguments: name of the caller, then for each event its id, job, state (`o` or
 * `d`), the details of its record, body, the error of a dead letter, its automation or nothing, and when it was signed. Returns for each event 1 when
 * it is new, or the record under the same id. Calls cost more than anything else in a script, so it
 * writes the keys of all events with few calls.
 */
export const ACCEPT: Script = script(
  'writes',
  `
local ids, written, open, due, outcomes, accepted, jobs = {}, {}, {}, {}, {}, {}, {}
for index = 2, #ARGV, 8 do ids[#ids + 1] = idKey(ARGV[index]) end
local known = redis.call('MGET', unpack(ids))
local sequence = redis.call('HINCRBY', META, 'sequence', #ids) - #ids
local received = string.format('%d', now)

for place = 1, #ids do
  local index = place * 8 - 6
  local id, job, state, details, body, err, automation, signed = unpack(ARGV, index, index + 7)
  sequence = sequence + 1
  if known[place] then
    local position, found = placeOf(known[place])
    outcomes[place] = redis.call('HGET', jobKey(found), position)
  elseif accepted[id] then
    outcomes[place] = accepted[id]
  else
    local key = jobKey(job)
    local current = jobs[job]
    if not current then
      local read = redis.call('HMGET', key, 'n', 'u', 't')
      current = { last = tonumber(read[1]) or 0, unsettled = tonumber(read[2]) or 0, token = read[3] }
      jobs[job] = current
      if current.last > 0 and current.unsettled == 0 then redis.call('ZREM', DONE, job) end
      if current.last == 0 and string.sub(job, 1, 4) == 'run:' then
        redis.call('ZADD', RUNS, sequence, job)
        if automation ~= '' then
          redis.call('HSET', key, 'a', automation)
          redis.call('ZADD', runsKey(automation), sequence, job)
        end
      end
    end
    current.last, current.unsettled = current.last + 1, current.unsettled + 1
    -- Redis converts numbers much more slowly than this.
    local position = string.format('%d', current.last)
    local unsettled = string.format('%d', current.unsettled)
    local ref = position .. ':' .. job
    local record = state .. '\\n0\\n0\\n0\\n0\\na\\n' .. received .. '\\n' .. string.format('%d', sequence) ..
      '\\n' .. details
    local order = string.match(details, '^%d*')
    local member = order .. string.format('%010d', current.last)
    redis.call('HSET', key, 'n', position, 'u', unsettled, position, record)
    redis.call('ZADD', waitingKey(job), 0, member)
    if order ~= '' then redis.call('ZADD', placesKey(job), 0, member) end
    if tonumber(signed) > now then redis.call('HSET', key, 'w', signed) end
    local size = #written
    written[size + 1], written[size + 2] = ids[place], ref
    written[size + 3], written[size + 4] = bodyKey(ref), body
    if state == 'd' then
      redis.call('ZADD', DEAD, sequence, ref)
      redis.call('HSET', ERRORS, ref, err)
    else
      open[#open + 1], open[#open + 2] = received, ref
      if current.token then
        redis.call('HSET', key, 'c', 1)
      elseif not current.isDue then
        due[#due + 1], due[#due + 2] = received, job
        current.isDue = true
      end
    end
    accepted[id], outcomes[place] = record, 1
  end
end
if #written > 0 then redis.call('MSET', unpack(written)) end
if #open > 0 then redis.call('ZADD', OPEN, unpack(open)) end
if #due > 0 then
  wakeUnlessDue(ARGV[1])
  redis.call('ZADD', DUE, 'LT', unpack(due))
end
return outcomes
`,
);
