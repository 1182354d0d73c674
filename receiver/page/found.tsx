import type { StoredEvent } from '@hookproof/receiver';
import type { Timeline } from '@hookproof/receiver/order';
import { useEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';

import { read } from './call.ts';
import type { Found, FoundRun } from './call.ts';
import { DeadActions } from './dead.tsx';
import { failure, turn } from './state.ts';
import { Age, Id, Status } from './values.tsx';

/** What the store knows under an id: a run with its timeline, or an event without a run. */
export function FoundPage({ id }: { readonly id: string }): JSX.Element {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    let isCurrent = true;
    read('find', { id }).then(
      (result) => isCurrent && setFound(result),
      (error: unknown) => {
        failure.value = error instanceof Error ? error.message : String(error);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [id, turn.value]);
  if (found === null) return <p class="empty">Loading…</p>;
  const { run, event } = found;
  if (run !== null) return <Run run={run} marked={event?.id ?? null} />;
  if (event !== null) {
    return (
      <section>
        <h2>Event without a run</h2>
        <ol class="steps">
          <Step event={event} isMarked={false} />
        </ol>
      </section>
    );
  }
  return (
    <p class="empty">
      The store knows no run and no event <code>{id}</code>. It forgets handled ones after{' '}
      <code>retentionDays</code>.
    </p>
  );
}

function Run({
  run: { runId, timeline, events },
  marked,
}: {
  readonly run: FoundRun;
  readonly marked: string | null;
}): JSX.Element {
  const gaps = new Map(timeline.gaps.map((gap) => [gap.index, gap] as const));
  const byId = new Map(events.map((event) => [event.id, event] as const));
  return (
    <section>
      <h2>
        Run <code>{runId}</code> {timeline.status !== null && <Status name={timeline.status} />}
      </h2>
      <p class="quiet">{proofOf(timeline)}</p>
      <ol class="steps">
        {timeline.steps.map((step, index) => {
          const gap = gaps.get(index);
          const event = byId.get(step.id);
          return (
            <>
              {gap !== undefined && (
                <li class="gap" key={`gap-${step.id}`}>
                  Missing: {gap.after === null ? 'its creation' : `from ${gap.after}`} to{' '}
                  {gap.before}
                </li>
              )}
              {event !== undefined && (
                <Step key={step.id} event={event} isMarked={step.id === marked} />
              )}
            </>
          );
        })}
        {timeline.impossible.map(({ id }) => {
          const event = byId.get(id);
          return event && <Step key={id} event={event} isMarked={id === marked} />;
        })}
      </ol>
    </section>
  );
}

/** Says in one sentence what the events prove about the run. */
function proofOf(timeline: Timeline): string {
  const { gaps, impossible, isAmbiguous, isTerminal, isUnbroken } = timeline;
  if (gaps.length > 0) {
    return `Events are missing in ${gaps.length} ${gaps.length === 1 ? 'place' : 'places'}.`;
  }
  if (impossible.length > 0) return 'Some events fit nowhere into the chain of statuses.';
  if (isAmbiguous) return 'Several orders of these events are equally possible.';
  if (!isUnbroken) return 'The chain of statuses does not begin with the creation of the run.';
  return isTerminal
    ? 'The run has ended. The known events form a chain from its creation to its end; only round trips can be missing.'
    : 'The known events form a chain from the creation of the run; only round trips can be missing.';
}

const STATES: Readonly<Record<StoredEvent['state'], string>> = {
  open: 'waits',
  settled: 'handled',
  dead: 'dead letter',
};

function Step({
  event,
  isMarked,
}: {
  readonly event: StoredEvent;
  readonly isMarked: boolean;
}): JSX.Element {
  const { id, edge, state, receivedAt, attempts, error } = event;
  return (
    <li class={`step ${state}${isMarked ? ' marked' : ''}`}>
      <span class="line">
        {edge !== null && <Status name={edge.currentStatus} />}
        <span class={`state ${state}`}>{STATES[state]}</span>
        <Id id={id} />
        <span class="quiet">
          accepted <Age at={receivedAt} /> ago
          {attempts > 0 && `, ${attempts} ${attempts === 1 ? 'failure' : 'failures'}`}
        </span>
        {state === 'dead' && (
          <span class="actions">
            <DeadActions id={id} />
          </span>
        )}
      </span>
      {error !== null && state !== 'settled' && <span class="error">{error}</span>}
    </li>
  );
}
