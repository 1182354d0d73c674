import type { StoredEvent } from '@hookproof/receiver';
import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';

import type { Found, FoundEvent, FoundRun, Payload } from '../src/inbox/reads.ts';
import { Attempts } from './attempts.tsx';
import { read } from './call.ts';
import { DeadActions } from './dead.tsx';
import { given } from './given.ts';
import { Replay } from './replay.tsx';
import { Runs } from './runs.tsx';
import { hasSources } from './source.tsx';
import { addressOf, failure, turn } from './state.ts';
import { Age, Automation, counted, Id, missing, Status } from './values.tsx';
import { Why } from './why.tsx';

/** What the store knows under an id: a run with its timeline, or an event without a run. */
export function FoundPage({
  id,
  source,
}: {
  readonly id: string;
  /** Empty: the first source that has it. */
  readonly source: string;
}): JSX.Element {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    let isCurrent = true;
    read('find', { id, ...(source !== '' && { source }) }).then(
      (result) => isCurrent && setFound(result),
      (error: unknown) => {
        failure.value = error instanceof Error ? error.message : String(error);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [id, source, turn.value]);
  if (found === null) return <p class="empty">Loading…</p>;
  const { run, event, alsoIn, automationId } = found;
  if (automationId !== null) return <Runs id={automationId} />;
  if (run !== null || event !== null) {
    return (
      <>
        {alsoIn.length > 0 && (
          <p class="narrowed">
            The same id is also in
            {alsoIn.map((name) => (
              <Fragment key={name}>
                {' '}
                <a href={addressOf(id, name)}>{name}</a>
              </Fragment>
            ))}
          </p>
        )}
        {run !== null && <Run run={run} marked={event?.id ?? null} />}
        {run === null && event !== null && <Single event={event} />}
      </>
    );
  }
  return (
    <p class="empty">
      The store knows no run, event, agent or workflow <code>{id}</code>. It forgets handled ones
      after <code>retentionDays</code>.
    </p>
  );
}

function Single({ event }: { readonly event: FoundEvent }): JSX.Element {
  return (
    <section>
      <h2>Event without a run</h2>
      <ol class="steps">
        <Step event={event} isMarked={false} />
      </ol>
    </section>
  );
}

function Run({
  run,
  marked,
}: {
  readonly run: FoundRun;
  readonly marked: string | null;
}): JSX.Element {
  const { source, runId, automationId, status, earlier, steps, impossible } = run;
  return (
    <section>
      <h2>
        Run <code>{runId}</code> {status !== null && <Status name={status} />}
      </h2>
      {automationId !== null && (
        <p>
          of <Automation id={automationId} />
        </p>
      )}
      <p class="proof" title={meaningOf(run)}>
        {proofOf(run)}
      </p>
      {steps.some(({ event }) => event.keptUntil !== null) && (
        <div class="toolbar">
          <Replay id={runId} of={{ source, runId }} />
        </div>
      )}
      <ol class="steps">
        {earlier > 0 && <li class="step quiet">{counted(earlier, 'earlier event')}</li>}
        {steps.map(({ gap, event }) => (
          <Fragment key={event.id}>
            {gap !== null && <li class="gap">Missing: {missing(gap)}</li>}
            <Step event={event} isMarked={event.id === marked} />
          </Fragment>
        ))}
        {impossible.map((event) => (
          <Step key={event.id} event={event} isMarked={event.id === marked} />
        ))}
      </ol>
    </section>
  );
}

/** Says in one sentence what the events prove about the run. */
function proofOf({ gaps, impossible, isAmbiguous, isTerminal, isUnbroken }: FoundRun): string {
  if (gaps > 0) return `Events are missing in ${counted(gaps, 'place')}.`;
  if (impossible.length > 0) return 'Some events fit nowhere into the chain of statuses.';
  if (isAmbiguous) return 'Several orders of these events are equally possible.';
  if (!isUnbroken) return 'The chain of statuses does not begin with the creation of the run.';
  return isTerminal
    ? 'Complete: no event is known to be missing.'
    : 'No event is known to be missing so far.';
}

/** Says how that is known. */
function meaningOf({ gaps, isUnbroken }: FoundRun): string | undefined {
  return gaps === 0 && isUnbroken
    ? 'The events form a chain from the creation of the run. A round trip, such as running, waiting, running, could be missing without a gap.'
    : undefined;
}

const STATES: Readonly<Record<StoredEvent['state'], string>> = {
  open: 'waits',
  handled: 'handled',
  dead: 'dead letter',
};

function Step({
  event,
  isMarked,
}: {
  readonly event: FoundEvent;
  readonly isMarked: boolean;
}): JSX.Element {
  const { source, id, edge, type, state, receivedAt, attempts, error, keptUntil, isReplay, waits } =
    event;
  return (
    <li class={`step ${state}${isMarked ? ' marked' : ''}`}>
      <span class="line">
        {edge !== null && <Status name={edge.currentStatus} />}
        {edge === null && type !== null && (
          <span>{hasSources() ? `${source}: ${type}` : type}</span>
        )}
        <span class={`state ${state}`}>{STATES[state]}</span>
        {waits !== null && <Why of={waits} />}
        <Id id={id} source={source} isWhole />
        <span class="quiet">
          accepted <Age at={receivedAt} /> ago
          {isReplay && ', replayed'}
        </span>
        {state === 'dead' && (
          <span class="actions">
            <DeadActions source={source} id={id} />
          </span>
        )}
        {keptUntil !== null && (
          <span class="actions">
            <Replay id={id} of={{ source, ids: [id] }} />
          </span>
        )}
      </span>
      {error !== null && state !== 'handled' && <span class="error">{error}</span>}
      {attempts > 0 && state !== 'handled' && <Attempts of={event} noun="failed attempt" />}
      {given.showsPayloads && state !== 'handled' && <Body source={source} id={id} />}
    </li>
  );
}

/** The body of an event, which is read when somebody opens it. */
function Body({ source, id }: { readonly source: string; readonly id: string }): JSX.Element {
  const [payload, setPayload] = useState<Payload | null>(null);
  return (
    <details
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) void read('payload', { source, id }).then(setPayload);
      }}
    >
      <summary>Payload</summary>
      {payload !== null && <Text payload={payload} />}
    </details>
  );
}

function Text({ payload: { text, bytes, isCut } }: { readonly payload: Payload }): JSX.Element {
  if (text === null) return <p class="quiet">The store keeps no body of this event.</p>;
  return (
    <>
      <pre tabIndex={0} aria-label="Payload">
        {text}
      </pre>
      {isCut && <p class="quiet">Only the beginning of {bytes.toLocaleString('en')} bytes.</p>}
    </>
  );
}
