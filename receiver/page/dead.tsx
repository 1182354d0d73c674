import type { DeadLetterReason } from '@hookproof/receiver';
import type { JSX } from 'preact';

import { DEAD_LETTER_REASONS } from '../src/stores/store.ts';
import { change, read } from './call.ts';
import type { Filter } from './call.ts';
import { confirm } from './confirm.tsx';
import { List } from './list.tsx';
import { Narrow } from './narrow.tsx';
import { look, notice, reason } from './state.ts';
import { Age, Id, RunOf } from './values.tsx';

const REASONS: Readonly<Record<DeadLetterReason, string>> = {
  handler_failed: 'handler failed',
  output_invalid: 'output does not match',
  event_quarantined: 'not an event',
  event_poisoned: 'process ended',
};

const MEANINGS: Readonly<Record<DeadLetterReason, string>> = {
  handler_failed: 'All its attempts failed (maxAttempts)',
  output_invalid: 'Its output does not match the schema of withOutput()',
  event_quarantined: 'Its signature is valid, but its body is not an event of the contract',
  event_poisoned: 'The process ended too often while it handled this event (maxCrashes)',
};

const HANDLE_MEANING = 'Calls the handlers again, with all attempts';
const DISCARD_MEANING = 'Gives up: it counts as handled, and its body is deleted';

/** The events that nothing handles any more, with their errors. */
export function DeadLetters({ id: of }: { readonly id: string }): JSX.Element {
  const chosen = reason.value;
  const query = { ...(chosen !== '' && { reason: chosen }), ...(of !== '' && idFilter(of)) };
  return (
    <>
      <div class="toolbar">
        <Narrow list="dead" label="Run, agent or workflow" id={of} />
        <label>
          Reason{' '}
          <select
            value={chosen}
            onChange={({ currentTarget: { value } }) => {
              reason.value = DEAD_LETTER_REASONS.find((each) => each === value) ?? '';
            }}
          >
            <option value="">all</option>
            {DEAD_LETTER_REASONS.map((each) => (
              <option key={each} value={each}>
                {REASONS[each]}
              </option>
            ))}
          </select>
        </label>
        <span class="space" />
        <button title={HANDLE_MEANING} onClick={() => void changeAll('redrive', query)}>
          Handle all again…
        </button>
        <button
          class="danger"
          title={DISCARD_MEANING}
          onClick={() => void changeAll('discard', query)}
        >
          Discard all…
        </button>
      </div>
      <List
        label="Dead letters"
        columns={['Run', 'Event', 'Why', 'Tries', 'Since', 'Actions']}
        empty={of === '' && chosen === '' ? 'No dead letters.' : 'No dead letters match.'}
        of="dead"
        query={query}
        keyOf={({ id }) => id}
        row={(letter) => (
          <>
            <td data-label="Run">
              <RunOf of={letter} />
            </td>
            <td data-label="Event">
              <Id id={letter.id} />
            </td>
            <td data-label="Why">
              <span class="why dead" title={MEANINGS[letter.reason]}>
                {REASONS[letter.reason]}
                {letter.isReplay && ' as a replay'}
              </span>
              <span class="error">{letter.error}</span>
            </td>
            <td data-label="Tries">{letter.attempts}</td>
            <td data-label="Since">
              <Age at={letter.receivedAt} />
            </td>
            <td class="actions">
              <DeadActions id={letter.id} />
            </td>
          </>
        )}
      />
    </>
  );
}

/** What to do with one dead letter. */
export function DeadActions({ id }: { readonly id: string }): JSX.Element {
  const filter = { ids: [id] };
  return (
    <>
      <button
        aria-label={`Handle again ${id}`}
        title={HANDLE_MEANING}
        onClick={() => void changeThem('redrive', filter)}
      >
        Handle again
      </button>
      <button
        class="danger"
        aria-label={`Discard ${id}`}
        title={DISCARD_MEANING}
        onClick={() =>
          void confirm(`Discard ${id}? It then counts as handled.`, 'Discard').then(
            async (isSure) => {
              if (isSure) await changeThem('discard', filter);
            },
          )
        }
      >
        Discard
      </button>
    </>
  );
}

/** The ids of agents and workflows have these beginnings. */
function idFilter(id: string): Pick<Filter, 'runId' | 'automationId'> {
  return /^(agent|wf)_/.test(id) ? { automationId: id } : { runId: id };
}

async function changeAll(what: 'redrive' | 'discard', filter: Omit<Filter, 'ids'>): Promise<void> {
  const { count } = await read('count', { ...filter });
  const them = count === 1 ? '1 dead letter' : `${count} dead letters`;
  const [question, action] =
    what === 'redrive'
      ? [`Handle ${them} again?`, 'Handle again']
      : [`Discard ${them}? They then count as handled.`, 'Discard'];
  if (await confirm(question, action)) await changeThem(what, filter);
}

async function changeThem(what: 'redrive' | 'discard', filter: Filter): Promise<void> {
  const done = what === 'redrive' ? 'to be handled again' : 'discarded';
  try {
    const { count = 0 } = await change({ change: what, filter });
    notice.value = `${count} ${count === 1 ? 'event' : 'events'} ${done}.`;
  } catch (error) {
    notice.value = `Nothing was changed. ${error instanceof Error ? error.message : String(error)}`;
  }
  await look();
}
