import { createHash } from 'node:crypto';

import { MAX_FIRST_BODIES, MAX_FIRST_BODY_BYTES } from '../first-bodies.ts';
import { MAX_EVENTS } from '../store.ts';

/** A script that Redis runs as one atomic step. */
export interface Script {
  readonly source: string;
  /** Its SHA-1 digest, by which Redis knows it once it is loaded. */
  readonly digest: string;
}

/**
 * `writes`: Redis refuses it when its memory is full. `frees`: it may run then, because it ends work.
 * `reads`: it changes nothing.
 */
type Kind = 'writes' | 'frees' | 'reads';

const HEADERS: Readonly<Record<Kind, string>> = {
  writes: '#!lua',
  frees: '#!lua flags=allow-oom',
  reads: '#!lua flags=no-writes',
};

/**
 * The keys, all of which begin with the same hash tag:
 *
 * - `:id:ID` is where an event is: its position and its job, as `POSITION:JOB`.
 * - `:job:JOB` is a hash: one record for each position; `n` is the last position, `u` the number of
 *   events that are not settled, `a` the automation of a run, `s` the event with which the run was settled, `w` when an event was
 *   signed if that was later than its acceptance; during a lease `t` its token, `h` its
 *   holder, `b` the event that it handles, `c` when something came since and `d` when the job is due again; `o` is what the order knows.
 * - `:places:JOB` are the places of the events of a run in lexical order, each with the position at its end, and
 *   `:waiting:JOB` those of the events of a job that are not settled.
 * - `:body:POSITION:JOB` is a body. It is deleted when its event is settled, or when its time in `:expiring` is over;
 *   `:kept-in:JOB` are the positions of such bodies, `:kept` the jobs that have some in lexical order, and
 *   `:kept-of:AUTOMATION` those of one automation.
 * - `:due` and `:leases` are jobs by due time and by end of lease; `:holder:NAME` are jobs of a holder.
 * - `:runs` are runs by the sequence of their first event, and `:runs:AUTOMATION` those of one automation.
 * - `:open`, `:dead`: open events by time of acceptance, dead letters by sequence; `:dead-of:AUTOMATION` those of
 *   the runs of one automation.
 * - `:done`: free jobs whose events are all settled, by the time of the last acceptance, or of the signature if that is later.
 * - `:errors`: reason and last failure of events that failed. `:meta`: counters. `:paused`: the
 *   names that are paused.
 */
const LAYOUT = `
local P = KEYS[1]
local DUE, LEASES, OPEN, DEAD, DONE = P .. ':due', P .. ':leases', P .. ':open', P .. ':dead', P .. ':done'
local META, ERRORS, PAUSED, RUNS = P .. ':meta', P .. ':errors', P .. ':paused', P .. ':runs'
local KEPT, EXPIRING = P .. ':kept', P .. ':expiring'
-- A client may put a prefix of its own before keys, but not before channels.
local WAKE = string.match(P, '{hookproof:[^}]*}$') .. ':wake'
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function jobKey(job) return P .. ':job:' .. job end
local function idKey(id) return P .. ':id:' .. id end
local function bodyKey(ref) return P .. ':body:' .. ref end
local function placesKey(job) return P .. ':places:' .. job end
local function waitingKey(job) return P .. ':waiting:' .. job end
local function holderKey(holder) return P .. ':holder:' .. holder end
local function runsKey(automation) return RUNS .. ':' .. automation end
local function deadKey(automation) return DEAD .. '-of:' .. automation end
local function keptKey(automation) return KEPT .. '-of:' .. automation end
local function keptInKey(job) return KEPT .. '-in:' .. job end
local function refOf(position, job) return string.format('%d', position) .. ':' .. job end
local function placeOf(ref)
  local position, job = string.match(ref, '^(%d+):(.*)$')
  return tonumber(position), job
end

-- A record is nine lines, of which the fifth is 1 for a replay and the sixth how the event arrived, and then the
-- details, which only the client reads.
local function parse(record)
  local state, attempts, crashes, due, replay, arrival, received, sequence, rest =
    string.match(record, '^(%l)\\n(%d+)\\n(%d+)\\n(%d+)\\n(%d)\\n(%l)\\n(%d+)\\n(%d+)\\n(.*)$')
  return {
    state = state, attempts = tonumber(attempts), crashes = tonumber(crashes), due = tonumber(due),
    replay = tonumber(replay), arrival = arrival, received = tonumber(received), sequence = tonumber(sequence), rest = rest,
  }
end
local function format(event)
  return string.format('%s\\n%d\\n%d\\n%d\\n%d\\n%s\\n%d\\n%d\\n', event.state, event.attempts,
    event.crashes, event.due, event.replay, event.arrival, event.received, event.sequence) .. event.rest
end
local function placeIn(event, position)
  return string.match(event.rest, '^%d*') .. string.format('%010d', position)
end
local function positionIn(place) return tonumber(string.sub(place, -10)) end
local function idIn(event) return string.match(event.rest, '^%d*\\n([^\\n]*)') end
`;

/** Identifies the keys and records that the scripts read and write: it changes with each word of `LAYOUT`. */
export const LAYOUT_DIGEST: string = createHash('sha256').update(LAYOUT).digest('hex').slice(0, 16);

const PRELUDE = `${LAYOUT}
local function isHeld(job, token) return redis.call('HGET', jobKey(job), 't') == token end

-- Reads an event of a job that is in this state, or in any; nil when there is none.
local function eventOf(job, id, state)
  local ref = redis.call('GET', idKey(id))
  if not ref then return nil end
  local position, found = placeOf(ref)
  if job and found ~= job then return nil end
  local event = parse(redis.call('HGET', jobKey(found), position))
  if state and event.state ~= state then return nil end
  return event, position, ref, found
end

local function automationOf(job) return redis.call('HGET', jobKey(job), 'a') end

local function addDead(job, ref, sequence)
  local automation = automationOf(job)
  redis.call('ZADD', DEAD, sequence, ref)
  if automation then redis.call('ZADD', deadKey(automation), sequence, ref) end
end

local function removeDead(job, ref)
  local automation = automationOf(job)
  redis.call('ZREM', DEAD, ref)
  if automation then redis.call('ZREM', deadKey(automation), ref) end
end

local function keepBody(job, position, ref, expires)
  redis.call('ZADD', EXPIRING, expires, ref)
  redis.call('SADD', keptInKey(job), position)
  if redis.call('SCARD', keptInKey(job)) > 1 then return end
  local automation = automationOf(job)
  redis.call('ZADD', KEPT, 0, job)
  if automation then redis.call('ZADD', keptKey(automation), 0, job) end
end

-- Forgets that a body is kept, and leaves the body.
local function forgetKept(job, position, ref)
  redis.call('ZREM', EXPIRING, ref)
  redis.call('SREM', keptInKey(job), position)
  if redis.call('EXISTS', keptInKey(job)) == 1 then return end
  local automation = automationOf(job)
  redis.call('ZREM', KEPT, job)
  if automation then redis.call('ZREM', keptKey(automation), job) end
end

-- Counts the time from the last acceptance; from the signature, if the clock of this server was behind it.
local function addDone(job)
  local key = jobKey(job)
  local last = parse(redis.call('HGET', key, redis.call('HGET', key, 'n')))
  redis.call('ZADD', DONE, math.max(last.received, tonumber(redis.call('HGET', key, 'w') or 0)), job)
end

-- A call takes at most some thousand arguments.
local function recordsAt(job, positions)
  local found = {}
  for start = 1, #positions, 1000 do
    local fields = { unpack(positions, start, math.min(start + 999, #positions)) }
    for _, record in ipairs(redis.call('HMGET', jobKey(job), unpack(fields))) do
      found[#found + 1] = record
    end
  end
  return found
end

local function records(job, first, last)
  local positions = {}
  for position = first, last do positions[#positions + 1] = position end
  return recordsAt(job, positions)
end

-- Reads events by their places: positions, records, and the bodies of the first open ones.
local function eventsAt(job, places)
  local positions, bodies, bytes, isFull = {}, {}, 0, false
  for index, place in ipairs(places) do positions[index] = positionIn(place) end
  local found = recordsAt(job, positions)
  for index, record in ipairs(found) do
    if string.sub(record, 1, 1) == 'o' and not isFull then
      local body = redis.call('GET', bodyKey(refOf(positions[index], job))) or ''
      bytes = bytes + #body
      isFull = #bodies > 0 and (bytes > ${MAX_FIRST_BODY_BYTES} or #bodies >= ${MAX_FIRST_BODIES})
      if not isFull then bodies[#bodies + 1] = body end
    end
  end
  return { positions, found, bodies }
end

-- Reads the first events that wait; the first of them is after a place, if there is one.
local function waitingAfter(job, after)
  local from = after and '(' .. after or '-'
  local places = redis.call('ZRANGEBYLEX', waitingKey(job), from, '+', 'LIMIT', 0, ${MAX_EVENTS + 1})
  local hasMore = #places > ${MAX_EVENTS}
  if hasMore then places[#places] = nil end
  return eventsAt(job, places), hasMore and 1 or 0, places[1]
end

-- Wakes idle processes before a job becomes due: when another is due already, they are awake.
local function wakeUnlessDue(sender)
  local first = redis.call('ZRANGE', DUE, 0, 0, 'WITHSCORES')
  if not first[2] or tonumber(first[2]) > now then redis.call('PUBLISH', WAKE, sender) end
end

-- Makes a job due whose event was opened again: now, or when its lease ends.
local function makeDue(job, sender)
  if redis.call('HGET', jobKey(job), 't') then
    redis.call('HSET', jobKey(job), 'd', 1)
  else
    wakeUnlessDue(sender)
    redis.call('ZADD', DUE, 'LT', now, job)
  end
end
`;

export function script(kind: Kind, body: string): Script {
  const source = `${HEADERS[kind]}\n${PRELUDE}\n${body}`;
  return { source, digest: createHash('sha1').update(source).digest('hex') };
}
