import type {
  DeadLetterPage,
  DeadLetterReason,
  ReceiverStats,
  StoredEvent,
  WaitingPage,
} from '@hookproof/receiver';
import type { Timeline } from '@hookproof/receiver/order';

/** Which dead letters to show or to change; without a member, all. */
export interface Filter {
  readonly ids?: readonly string[];
  readonly reason?: DeadLetterReason;
  readonly runId?: string;
}

export interface FoundRun {
  readonly runId: string;
  readonly timeline: Timeline;
  readonly events: readonly StoredEvent[];
}

export interface Found {
  readonly run: FoundRun | null;
  readonly event: StoredEvent | null;
}

interface Reads {
  readonly stats: ReceiverStats;
  readonly waiting: WaitingPage;
  readonly dead: DeadLetterPage;
  readonly count: { readonly count: number };
  readonly find: Found;
}

/** Reads from the store behind this page. */
export async function read<Name extends keyof Reads>(
  name: Name,
  query: Readonly<Record<string, string>> = {},
): Promise<Reads[Name]> {
  const search = new URLSearchParams({ read: name, ...query });
  return answerOf(await fetch(`?${search.toString()}`));
}

type Change =
  | { readonly change: 'redrive' | 'discard'; readonly filter: Filter }
  | { readonly change: 'pause' | 'resume'; readonly handler?: string };

/** Changes what is in the store. Only a script of this origin can send the header. */
export async function change(asked: Change): Promise<{ readonly count?: number }> {
  const headers = { 'content-type': 'application/json', 'x-hookproof-inbox': '1' };
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
