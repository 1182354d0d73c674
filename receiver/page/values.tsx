import type { JSX } from 'preact';

import { addressOf } from './state.ts';

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Returns a length of time in its largest unit: `12 s`, `2 h`. */
export function duration(milliseconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => milliseconds >= length) ?? ['s', 1_000];
  return `${Math.floor(Math.max(milliseconds, 0) / size)} ${unit}`;
}

/** Returns what is missing in a gap of a run. */
export function missing({
  after,
  before,
}: {
  readonly after: string | null;
  readonly before: string;
}): string {
  return `from ${after ?? 'its creation'} to ${before}`;
}

/** Returns a number with its noun: `1 event`, `2 events`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** How long ago it was, with the whole time as a title. */
export function Age({ at }: { readonly at: number }): JSX.Element {
  const time = new Date(at).toISOString();
  return (
    <time dateTime={time} title={time}>
      {duration(Date.now() - at)}
    </time>
  );
}

/** A status of a run: its colour says how it ended. */
export function Status({ name }: { readonly name: string }): JSX.Element {
  return <span class={`status ${name}`}>{name}</span>;
}

/** From which status to which an event leads; the type of an event without a run. */
export function Move({
  of: { edge, type },
}: {
  readonly of: {
    readonly edge: {
      readonly previousStatus: string | null;
      readonly currentStatus: string;
    } | null;
    readonly type: string | null;
  };
}): JSX.Element {
  if (edge === null) return <span class="quiet">{type ?? 'no run'}</span>;
  return (
    <span class="move">
      <span class="quiet">{edge.previousStatus ?? 'new'} →</span>{' '}
      <Status name={edge.currentStatus} />
    </span>
  );
}

/** A run with its agent or workflow, or the key of an event without a run. */
export function RunOf({
  of: { source, runId, key, automationId },
}: {
  readonly of: {
    readonly source: string;
    readonly runId: string | null;
    readonly key: string | null;
    readonly automationId: string | null;
  };
}): JSX.Element {
  return (
    <>
      {runId === null ? (
        <span class="quiet">{key ?? 'no run'}</span>
      ) : (
        <Id id={runId} source={source} />
      )}
      {automationId !== null && <Automation id={automationId} />}
    </>
  );
}

/** A link to the runs of an agent or workflow. */
export function Automation({ id }: { readonly id: string }): JSX.Element {
  const kind = id.startsWith('agent_') ? 'agent ' : id.startsWith('wf_') ? 'workflow ' : '';
  return (
    <a class="automation" href={`#runs=${encodeURIComponent(id)}`} title={id}>
      {kind}
      <span class="id short">
        <bdi>{id}</bdi>
      </span>
    </a>
  );
}

/** A link to a run or an event. Its title is the whole id. */
export function Id({
  id,
  source,
  isWhole = false,
}: {
  readonly id: string;
  /** Default: the first source that has it. */
  readonly source?: string | undefined;
  readonly isWhole?: boolean;
}): JSX.Element {
  return (
    <a class={isWhole ? 'id' : 'id short'} href={addressOf(id, source)} title={id}>
      <bdi>{id}</bdi>
    </a>
  );
}

/** A message: its first line, and all of it as a title. */
export function Error({ text }: { readonly text: string }): JSX.Element {
  return (
    <span class="error" title={text}>
      {/^.*/.exec(text)?.[0]}
    </span>
  );
}
