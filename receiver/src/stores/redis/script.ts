import { createHash } from 'node:crypto';

import { MAX_FIRST_BODIES, MAX_FIRST_BODY_BYTES } from '../first-bodies.ts';

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
 *   events that are not settled, `s` set when the run is settled; during a lease `t` its token, `h` its
 *   holder, `b` the event that it handles and `c` when something came since.
 * - `:body:POSITION:JOB` is a body. It is deleted when its event is settled.
 * - `:due` and `:leases` are jobs by due time and by end of lease; `:holder:NAME` are jobs of a holder.
 * - `:open`, `:dead`: open events by time of acceptance, dead letters by sequence.
 * - `:done`: free jobs whose events are all settled, by the time of the last acceptance.
 * - `:errors`: reason and last failure of events that failed. `:meta`: counters. `:paused`: the
 *   names that are paused.
 */
const LAYOUT = `
local P = KEYS[1]
local DUE, LEASES, OPEN, DEAD, DONE = P .. ':due', P .. ':leases', P .. ':open', P .. ':dead', P .. ':done'
local META, ERRORS, PAUSED = P .. ':meta', P .. ':errors', P .. ':paused'
-- A client may put a prefix of its own before keys, but not before channels.
local WAKE = string.match(P, '{hookproof:[^}]*}$') .. ':wake'
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function jobKey(job) return P .. ':job:' .. job end
local function idKey(id) return P .. ':id:' .. id end
local function bodyKey(ref) return P .. ':body:' .. ref end
local function holderKey(holder) return P .. ':holder:' .. holder end
local function refOf(position, job) return string.format('%d', position) .. ':' .. job end
local function placeOf(ref)
  local position, job = string.match(ref, '^(%d+):(.*)$')
  return tonumber(position), job
end

-- A record is seven lines and then the details, which only the client reads.
local function parse(record)
  local state, attempts, crashes, due, received, sequence, rest =
    string.match(record, '^(%l)\\n(%d+)\\n(%d+)\\n(%d+)\\n(%d+)\\n(%d+)\\n(.*)$')
  return {
    state = state, attempts = tonumber(attempts), crashes = tonumber(crashes), due = tonumber(due),
    received = tonumber(received), sequence = tonumber(sequence), rest = rest,
  }
end
local function format(event)
  return string.format('%s\\n%d\\n%d\\n%d\\n%d\\n%d\\n', event.state, event.attempts,
    event.crashes, event.due, event.received, event.sequence) .. event.rest
end
local function idIn(event) return string.match(event.rest, '^[^\\n]*') end
`;

/** Identifies the keys and records that the scripts read and write: it changes with each word of `LAYOUT`. */
export const LAYOUT_DIGEST: string = createHash('sha256').update(LAYOUT).digest('hex').slice(0, 16);

const PRELUDE = `${LAYOUT}
local function isHeld(job, token) return redis.call('HGET', jobKey(job), 't') == token end

-- Reads an event of a job that is in this state; nil when there is none.
local function eventOf(job, id, state)
  local ref = redis.call('GET', idKey(id))
  if not ref then return nil end
  local position, found = placeOf(ref)
  if job and found ~= job then return nil end
  local event = parse(redis.call('HGET', jobKey(found), position))
  if event.state ~= state then return nil end
  return event, position, ref, found
end

local function records(job, first, last)
  local found = {}
  for start = first, last, 1000 do
    local fields = {}
    for position = start, math.min(start + 999, last) do fields[#fields + 1] = position end
    for _, record in ipairs(redis.call('HMGET', jobKey(job), unpack(fields))) do
      found[#found + 1] = record
    end
  end
  return found
end

-- Reads the bodies of the first open events.
local function firstBodies(job, found, first)
  local read, bytes = {}, 0
  for index, record in ipairs(found) do
    if string.sub(record, 1, 1) == 'o' then
      local body = redis.call('GET', bodyKey(refOf(first + index - 1, job))) or ''
      bytes = bytes + #body
      local isFull = bytes > ${MAX_FIRST_BODY_BYTES} or #read >= ${MAX_FIRST_BODIES}
      if #read > 0 and isFull then break end
      read[#read + 1] = body
    end
  end
  return read
end

-- Wakes idle processes before a job becomes due: when another is due already, they are awake.
local function wakeUnlessDue(sender)
  local first = redis.call('ZRANGE', DUE, 0, 0, 'WITHSCORES')
  if not first[2] or tonumber(first[2]) > now then redis.call('PUBLISH', WAKE, sender) end
end
`;

export function script(kind: Kind, body: string): Script {
  const source = `${HEADERS[kind]}\n${PRELUDE}\n${body}`;
  return { source, digest: createHash('sha1').update(source).digest('hex') };
}
