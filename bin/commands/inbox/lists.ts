import type { DeadLetter, WaitingEvent } from '@hookproof/receiver';
import { deadLetterGroups } from '@hookproof/receiver/inbox';
import type { DeadLetterGroup } from '@hookproof/receiver/inbox';

import { UsageError } from '../../command-line/errors.ts';
import { deadLetterFilter } from './dead-letter-filter.ts';
import type { InboxCall } from './inbox-call.ts';

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/** Returns a length of time in its largest unit. */
function duration(milliseconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => milliseconds >= length) ?? ['s', 1_000];
  return `${Math.floor(Math.max(milliseconds, 0) / size)} ${unit}`;
}

/** Prints how much waits, is dead and is paused. */
export async function showStats({ inbox, options, screen }: InboxCall): Promise<number> {
  const stats = await inbox.stats();
  if (options.json === true) {
    screen.print(JSON.stringify(stats));
    return 0;
  }
  const { open, due, inHand, dead, oldestOpen, paused } = stats;
  const oldest = oldestOpen === null ? '' : `, the oldest for ${duration(oldestOpen)}`;
  screen.print(`waiting  ${open}${oldest} (runs: ${due} due, ${inHand} in progress)`);
  screen.print(`dead     ${dead}`);
  if (paused.length > 0) {
    const names = paused.map((name) => (name === '*' ? 'every handler' : name)).join(', ');
    screen.print(screen.paint.yellow(`paused   ${names}`));
  }
  return 0;
}

const WHY: Readonly<Record<WaitingEvent['why'], string>> = {
  paused: 'paused',
  in_hand: 'its run is being handled',
  retry: 'failed',
  order: 'waits for earlier events',
  due: 'due',
};

/** Prints what is not handled yet, and why. */
export async function showWaiting(call: InboxCall): Promise<number> {
  const { source, run, automation, limit } = call.options;
  const page = await call.inbox.waiting({
    limit,
    ...(source !== undefined && { source }),
    ...(run !== undefined && { runId: run }),
    ...(automation !== undefined && { automationId: automation }),
  });
  return printPage(page, printWaiting, 'Nothing waits.', call);
}

function printWaiting(event: WaitingEvent, screen: InboxCall['screen']): void {
  const { id, handler, attempts, error, isReplay } = event;
  const about = `${subjectOf(event)}  ${handler ?? '–'}`;
  screen.print(`${id}  ${about}  ${whyOf(event)}${isReplay ? ', a replay' : ''}`);
  if (error !== null) screen.print(`    attempt ${attempts}: ${error}`);
}

/** Names the run of an event, or what else it belongs to, and its source if the store may have several. */
function subjectOf({ source, key }: Pick<WaitingEvent, 'source' | 'key'>): string {
  return source === 'platform' ? (key ?? 'no run') : `${source}  ${key ?? '–'}`;
}

/** Says why an event waits, and until when if that is known. */
function whyOf({ why, gap, dueIn, leasedFor }: WaitingEvent): string {
  const reason = gap === null ? WHY[why] : `missing ${missing(gap)}`;
  if (leasedFor !== null) return `${reason}, lease ends in ${duration(leasedFor)}`;
  return dueIn === null || dueIn === 0 ? reason : `${reason}, next attempt in ${duration(dueIn)}`;
}

function missing({ after, before }: NonNullable<WaitingEvent['gap']>): string {
  return `${after === null ? 'the creation' : `from ${after}`} to ${before}`;
}

/** Prints dead letters with their errors, and before them how many have one cause. */
export async function showDead(call: InboxCall): Promise<number> {
  const { inbox, options, screen } = call;
  const filter = deadLetterFilter(options);
  if (options.json !== true) {
    const { groups, isComplete } = await deadLetterGroups(inbox, filter);
    if (groups.some(({ count }) => count > 1)) printGroups(groups, isComplete, screen);
  }
  const page = await inbox.deadLetters({ ...filter, limit: options.limit });
  return printPage(page, printLetter, 'No dead letters.', call);
}

/** Prints the causes of dead letters: what `--handler` and `--message` choose. */
function printGroups(
  groups: readonly DeadLetterGroup[],
  isComplete: boolean,
  screen: InboxCall['screen'],
): void {
  const width = Math.max(...groups.map(({ count }) => String(count).length));
  for (const { source, count, handler, message } of groups) {
    const times = screen.paint.bold(`${String(count).padStart(width)} ×`);
    screen.print(`${times}  ${causeOf(source, handler).padEnd(10)}  ${message}`);
  }
  screen.print(isComplete ? '' : 'Only the newest 10,000 are grouped.\n');
}

function causeOf(source: string, handler: string | null): string {
  return source === 'platform' ? (handler ?? 'no run') : `${source} ${handler ?? '–'}`;
}

function printLetter(letter: DeadLetter, screen: InboxCall['screen']): void {
  const { id, reason, attempts, crashes, receivedAt, error, isReplay } = letter;
  const at = new Date(receivedAt).toISOString();
  const failures = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const ends = crashes === 1 ? '1 end of the process' : `${crashes} ends of the process`;
  const tries = crashes === 0 ? failures : attempts === 0 ? ends : `${failures}, ${ends}`;
  screen.print(
    `${id}  ${subjectOf(letter)}  ${letter.handler ?? '–'}  ${reason}  ${at}  ${tries}${isReplay ? ', a replay' : ''}`,
  );
  screen.print(`    ${screen.paint.red(error)}`);
}

/** Prints each item of a page, and says that nothing was found or that there is more. Returns the exit code. */
export function printPage<Item>(
  { items, next }: { readonly items: readonly Item[]; readonly next: string | null },
  print: (item: Item, screen: InboxCall['screen']) => void,
  empty: string,
  { options, screen }: InboxCall,
): number {
  if (options.json === true) {
    for (const item of items) screen.print(JSON.stringify(item));
    return 0;
  }
  for (const item of items) print(item, screen);
  if (items.length === 0) screen.print(empty);
  if (next !== null) screen.log(`There are more. Raise --limit (${options.limit}).`);
  return 0;
}

/** Prints a run with its gaps, or an event. */
export async function showId({ inbox, words, options, screen }: InboxCall): Promise<number> {
  const [id, ...more] = words;
  if (id === undefined || more.length > 0) {
    throw new UsageError(
      `inbox show must be followed by the id of one run or event, got ${words.length}.`,
    );
  }
  const event = await inbox.inspect(id, options.source);
  const source = event?.source ?? options.source;
  const timeline = await inbox.timeline(event?.runId ?? id, source);
  if (event === null && timeline === null) {
    const named = source === undefined ? {} : { source };
    const { items } = await inbox.runs({ ...named, automationId: id, limit: 1 });
    const fix = `Its runs: hookproof inbox runs --automation ${id}`;
    screen.log(
      items.length > 0
        ? `${id} is an agent or workflow. ${fix}`
        : `The store knows no run and no event ${id}.${await ofKey(inbox, id, source)}`,
    );
    return 1;
  }
  if (options.json === true) {
    screen.print(JSON.stringify({ event, timeline }));
    return 0;
  }
  for (const [index, step] of (timeline?.steps ?? []).entries()) {
    const gap = timeline?.gaps.find((each) => each.index === index);
    if (gap !== undefined) {
      screen.print(screen.paint.yellow(`  missing: ${missing(gap)}`));
    }
    const known = await inbox.inspect(step.id, source);
    const mark = step.id === event?.id ? '>' : ' ';
    const state = `${known?.state ?? '?'}${known?.isReplay === true ? ', a replay' : ''}`;
    screen.print(`${mark} ${step.currentStatus.padEnd(10)}  ${state.padEnd(7)}  ${step.id}`);
    if (known?.error != null && known.state !== 'handled') {
      screen.print(`    ${screen.paint.red(known.error)}`);
    }
  }
  if (timeline === null && event !== null) {
    const about = `${subjectOf(event)}  ${event.handler ?? '–'}`;
    screen.print(`${event.id}  ${about}  ${event.state}  ${event.error ?? ''}`);
  }
  return 0;
}

/** Names the lists that have events of a key, which is no run. */
async function ofKey(
  inbox: InboxCall['inbox'],
  key: string,
  source: string | undefined,
): Promise<string> {
  if (source === undefined) return '';
  const filter = { source, runId: key, limit: 1 };
  const dead = await inbox.deadLetters(filter);
  const waiting = await inbox.waiting(filter);
  const lists = [
    ...(dead.items.length > 0 ? ['dead'] : []),
    ...(waiting.items.length > 0 ? ['waiting'] : []),
  ].map((list) => `hookproof inbox ${list} --run ${key} --source ${source}`);
  return lists.length === 0 ? '' : ` It is a key of ${source}. Its events: ${lists.join(' and ')}`;
}
