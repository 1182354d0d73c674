import { RUNS } from './programs/scenario.ts';
import type { Line } from './programs/scenario.ts';

type Begin = Extract<Line, { readonly what: 'begin' }>;

/** The kill can cut the last line. */
export function linesOf(journal: string): readonly Line[] {
  const whole = journal.slice(0, journal.lastIndexOf('\n') + 1);
  return whole.split('\n').flatMap((line): Line[] => (line === '' ? [] : [JSON.parse(line)]));
}

/**
 * Compares what a killed process did with what the next one did after it, and with what the store
 * holds in the end. Returns what is wrong.
 */
export function reviewCrash(
  killed: readonly Line[],
  after: readonly Line[],
  stored: readonly { readonly id: string; readonly state: string }[],
): readonly string[] {
  return [...missing(stored), ...outOfOrder([...killed, ...after]), ...repeated(killed, after)];
}

/** Every event is handled in the end, but the one that is a dead letter. */
function missing(stored: readonly { readonly id: string; readonly state: string }[]): string[] {
  const states = new Map(stored.map(({ id, state }) => [id, state]));
  const ids = Object.entries(RUNS).flatMap(([run, statuses]) =>
    statuses.map((status, place) => ({ id: `whev_${run}_${place + 1}`, status })),
  );
  return [
    ...ids.flatMap(({ id, status }) => {
      const expected = status === 'failed' ? 'dead' : 'handled';
      return states.get(id) === expected ? [] : [`${id} is ${states.get(id)}, not ${expected}`];
    }),
    ...(states.size === ids.length ? [] : [`${states.size} events, not ${ids.length}`]),
  ];
}

/**
 * An event begins only after all before it in its run, and a replay in the order of its run too.
 */
function outOfOrder(lines: readonly Line[]): string[] {
  const last = new Map<string, number>();
  return begins(lines).flatMap((begin) => {
    const place = Number(begin.id.split('_').at(-1));
    const before = last.get(nameOf(begin)) ?? 0;
    last.set(nameOf(begin), Math.max(before, place));
    // A replay begins its run again.
    const isRepetition = place <= before;
    return isRepetition || place === before + 1 ? [] : [`${begin.id} began after event ${before}`];
  });
}

/**
 * The next process begins again only what the killed one had begun last in a run, unless it asked
 * for the replay.
 */
function repeated(killed: readonly Line[], after: readonly Line[]): string[] {
  const isReplayKnown = killed.some(({ what }) => what === 'replayed');
  const done = new Set<string>();
  const last = new Map<string, string>();
  for (const begin of begins(killed)) {
    done.add(unitOf(begin));
    last.set(nameOf(begin), unitOf(begin));
  }
  return begins(after).flatMap((begin) => {
    const isAskedFor = begin.attempt.startsWith('replay') && !isReplayKnown;
    const mayRepeat = last.get(nameOf(begin)) === unitOf(begin) || isAskedFor;
    const isWrong = done.has(unitOf(begin)) && !mayRepeat;
    done.add(unitOf(begin));
    return isWrong ? [`${unitOf(begin)} began again`] : [];
  });
}

function begins(lines: readonly Line[]): readonly Begin[] {
  return lines.filter((line) => line.what === 'begin');
}

/** A replay of a run is a pass of its own. */
function nameOf({ run, attempt }: Begin): string {
  return attempt.startsWith('replay') ? `replay of ${run}` : run;
}

function unitOf({ id, attempt }: Begin): string {
  return `${id} attempt ${attempt}`;
}
