import type {
  DeadLetterPage,
  DeadLetterReason,
  HourCounts,
  ReceiverStats,
  RunPage,
  WaitingPage,
} from '@hookproof/receiver';

import type { DeadLetterCause, DeadLetterGroups } from '../src/inbox/dead-letter-groups.ts';
import type { Found, Payload } from '../src/inbox/reads.ts';
import { given } from './given.ts';

/** Which dead letters to show or to change; without a member, all. */
export interface Filter {
  /** The name of a source. */
  readonly source?: string;
  readonly ids?: readonly string[];
  readonly reason?: DeadLetterReason;
  readonly runId?: string;
  readonly automationId?: string;
  readonly handler?: string;
  /** The message begins with it. */
  readonly message?: string;
  /** Accepted then or later, in milliseconds since the epoch. */
  readonly since?: number;
}

/** Which handled events to replay; without a member, all whose bodies are kept. Times are milliseconds since the epoch. */
export interface ReplayFilter {
  readonly source?: string;
  readonly ids?: readonly string[];
  readonly runId?: string;
  readonly automationId?: string;
  readonly handler?: string;
  readonly since?: number;
  readonly until?: number;
}

/** What is counted, and the names of the sources; a processor has no refusals. */
export type Counts = Omit<ReceiverStats, 'refused'> &
  Partial<Pick<ReceiverStats, 'refused'>> & { readonly sources: readonly string[] };

export interface Reads {
  readonly stats: Counts;
  readonly hours: readonly HourCounts[];
  readonly waiting: WaitingPage;
  readonly dead: DeadLetterPage;
  readonly groups: DeadLetterGroups;
  readonly count: { readonly count: number };
  readonly replayable: { readonly count: number };
  readonly runs: RunPage;
  readonly find: Found;
  readonly payload: Payload;
}

/** Reads from the store behind this page. */
export async function read<Name extends keyof Reads>(
  name: Name,
  query: Readonly<Record<string, string>> = {},
): Promise<Reads[Name]> {
  const search = new URLSearchParams({ read: name, ...query });
  const start = performance.now();
  const found = await answerOf<Reads[Name]>(await fetch(`?${search.toString()}`));
  longest = Math.max(longest, performance.now() - start);
  return found;
}

let longest = 0;

/** Returns how long the longest read took since the last call, in milliseconds. */
export function longestRead(): number {
  const milliseconds = longest;
  longest = 0;
  return milliseconds;
}

type Change =
  | {
      readonly change: 'redrive' | 'discard';
      readonly filter: Filter;
      /** Only those of the filter with this cause. */
      readonly cause?: DeadLetterCause;
    }
  | { readonly change: 'replay'; readonly filter: ReplayFilter }
  | { readonly change: 'pause' | 'resume'; readonly source?: string; readonly handler?: string };

/** Changes what is in the store. The token shows that this page asks for it. */
export async function change(asked: Change): Promise<{ readonly count?: number }> {
  const headers = { 'content-type': 'application/json', 'x-hookproof-inbox': given.token };
  return answerOf(await fetch('?', { method: 'POST', headers, body: JSON.stringify(asked) }));
}

async function answerOf<Answer>(response: Response): Promise<Answer> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  if (response.ok && isJson) return response.json();
  const { message } = isJson
    ? await response.json()
    : { message: `The app responded ${response.status}.` };
  throw new Error(String(message));
}
