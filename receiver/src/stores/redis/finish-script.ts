import { script } from './script.ts';
import type { Script } from './script.ts';

/**
 * Writes outcomes, then holds or releases a lease. Arguments: name of the caller, job, token, `hold`,
 * `release` or `never`, milliseconds, the event that is handled next, what the order knows or nothing, then for each outcome its id, its kind and two values: `s`, 1 when
 * the run is settled, how long the body is kept or nothing; `f`, delay, error; `d`, 1 when it is a failure, error. Returns 1 when the lease is
 * held, and the last position.
 */
export const FINISH: Script = script(
  'frees',
  `
local sender, job, token, next, milliseconds, begin, order = unpack(ARGV, 1, 7)
if not isHeld(job, token) then return { 0, 0 } end
local key = jobKey(job)
local known = redis.call('HMGET', key, 'n', 'u', 'c', 'h', 'd')
local last, unsettled, settled = tonumber(known[1]), tonumber(known[2]), 0

if order ~= '' then redis.call('HSET', key, 'o', order) end
for index = 8, #ARGV, 4 do
  local id, kind, value, err = unpack(ARGV, index, index + 3)
  local event, position, ref = eventOf(job, id, 'o')
  if event then
    if kind ~= 'd' then event.crashes = 0 end
    if kind == 's' then
      event.state, event.due, settled = 's', 0, settled + 1
      if err == '' then
        redis.call('DEL', bodyKey(ref))
      else
        keepBody(job, position, ref, now + tonumber(err))
      end
      redis.call('ZREM', waitingKey(job), placeIn(event, position))
      if value == '1' then redis.call('HSET', key, 's', id) end
    elseif kind == 'f' then
      event.attempts, event.due = event.attempts + 1, now + tonumber(value)
    else
      event.state, event.attempts = 'd', event.attempts + tonumber(value)
      addDead(job, ref, event.sequence)
    end
    if kind ~= 's' then redis.call('HSET', ERRORS, ref, err) end
    if kind ~= 'f' then redis.call('ZREM', OPEN, ref) end
    redis.call('HSET', key, position, format(event))
  end
end
if settled > 0 then
  unsettled = unsettled - settled
  redis.call('HSET', key, 'u', unsettled)
  redis.call('HINCRBY', META, 'settled', settled)
end

if next == 'hold' then
  redis.call('ZADD', LEASES, now + tonumber(milliseconds), job)
  redis.call('HSET', key, 'b', begin)
  return { 1, last }
end
redis.call('ZREM', LEASES, job)
redis.call('HDEL', key, 't', 'h', 'b', 'c', 'd')
redis.call('SREM', holderKey(known[4]), job)
if known[3] or known[5] then
  wakeUnlessDue(sender)
  redis.call('ZADD', DUE, now, job)
elseif next == 'release' then
  redis.call('ZADD', DUE, now + tonumber(milliseconds), job)
end
if unsettled == 0 then addDone(job) end
return { 1, last }
`,
);
