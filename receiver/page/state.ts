import { signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';

import { longestRead, read } from './call.ts';
import type { Counts } from './call.ts';

/** What the address shows: a list, which an id may narrow, or what was found under an id. */
export interface Place {
  readonly name: 'waiting' | 'dead' | 'runs' | 'find';
  readonly id: string;
  /** The source within which the id is meant; empty for any. */
  readonly source: string;
}

function placeIn(hash: string): Place {
  const [, found, id = '', source = ''] = /^#(\w+)(?:=([^&]*)(?:&source=(.*))?)?$/.exec(hash) ?? [];
  const name = (['waiting', 'dead', 'runs', 'find'] as const).find((each) => each === found);
  return { name: name ?? 'waiting', id: decoded(id), source };
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Shows a place: a list narrowed by an id, or what is under it. */
export function goTo(name: Place['name'], id: string): void {
  location.hash = id === '' ? name : `${name}=${encodeURIComponent(id)}`;
}

/** Returns the address of a run or an event, whose id is unique within its source. */
export function addressOf(id: string, source?: string): string {
  const within = source === undefined ? '' : `&source=${source}`;
  return `#find=${encodeURIComponent(id)}${within}`;
}

const currentPlace = signal<Place>(placeIn(location.hash));
addEventListener('hashchange', () => {
  currentPlace.value = placeIn(location.hash);
});

export const place: ReadonlySignal<Place> = currentPlace;
export const stats: Signal<Counts | null> = signal(null);
/** Grows with each look at the store: lists read again then. */
export const turn: Signal<number> = signal(0);
/** What failed last; empty while the store responds. */
export const failure: Signal<string> = signal('');
/** What was done last, for readers of the screen too. */
export const notice: Signal<string> = signal('');
/** Which events are shown; an empty text leaves nothing out. Waiting ones are chosen by source alone. */
export interface Chosen {
  /** The name of a source. */
  readonly source: string;
  readonly reason: string;
  /** The status of the run in the event, or the type of an event without a run. */
  readonly handler: string;
  readonly message: string;
  /** One of `SINCE`. */
  readonly since: string;
}

/** How long ago an event was accepted at most, in milliseconds. */
export const SINCE: Readonly<Record<string, number>> = {
  'in the last hour': 3_600_000,
  'in the last day': 86_400_000,
  'in the last week': 604_800_000,
};

export const ANY: Chosen = { source: '', reason: '', handler: '', message: '', since: '' };
export const chosen: Signal<Chosen> = signal(ANY);

export function choose(what: Partial<Chosen>): void {
  chosen.value = { ...chosen.value, ...what };
}

const LOOK_MILLISECONDS = 2_000;
/**
 * How much longer than its reads a look waits for the next one, so that a slow store or a long run
 * is read seldom.
 */
const LOOKS_PER_READ = 20;

/** Reads the counts now. */
export async function look(): Promise<void> {
  try {
    stats.value = await read('stats');
    failure.value = '';
    turn.value += 1;
  } catch (error) {
    failure.value = error instanceof Error ? error.message : String(error);
  }
}

/** Looks again and again while the page is visible. */
export function lookOn(): void {
  const next = (): void => {
    setTimeout(
      () => {
        if (document.visibilityState === 'visible') void look().then(next);
        else next();
      },
      Math.max(LOOK_MILLISECONDS, LOOKS_PER_READ * longestRead()),
    );
  };
  void look().then(next);
  addEventListener('focus', () => void look());
}
