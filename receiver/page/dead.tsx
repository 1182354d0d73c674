import type { DeadLetterReason } from '@hookproof/receiver';
import type { JSX } from 'preact';

import { change, read } from './call.ts';
import type { Filter } from './call.ts';
import { confirm } from './confirm.tsx';
import { List } from './list.tsx';
import { look, notice, reason } from './state.ts';
import { Age, Id } from './values.tsx';

const REASONS: Readonly<Record<DeadLetterReason, string>> = {
  handler_failed: 'handler failed',
  output_invalid: 'output does not match',
  event_quarantined: 'not an event',
  event_poisoned: 'process ended',
};

/** The events that nothing handles any more, with their errors. */
export function DeadLetters(): JSX.Element {
  const chosen = reason.value;
  const filter: Filter = chosen === '' ? {} : { reason: chosen };
  const query = chosen === '' ? {} : { reason: chosen };
  return (
    <>
      <div class="toolbar">
        <label>
          Reason{' '}
          <select
            value={chosen}
            onChange={({ currentTarget: { value } }) => {
              reason.value = DEAD_REASONS.find((each) => each === value) ?? '';
            }}
          >
            <option value="">all</option>
            {DEAD_REASONS.map((each) => (
              <option key={each} value={each}>
                {REASONS[each]}
              </option>
            ))}
          </select>
        </label>
        <span class="space" />
        <button onClick={() => void changeAll('redrive', filter, query)}>Handle all again…</button>
        <button class="danger" onClick={() => void changeAll('discard', filter, query)}>
          Discard all…
        </button>
      </div>
      <List
        label="Dead letters"
        columns={['Run', 'Event', 'Why', 'Tries', 'Since', 'Actions']}
        empty="No dead letters."
        of={chosen}
        read={(after) => read('dead', { ...query, ...(after !== null && { after }) })}
        keyOf={({ id }) => id}
        row={(letter) => (
          <>
            <td data-label="Run">{letter.runId === null ? '–' : <Id id={letter.runId} />}</td>
            <td data-label="Event">
              <Id id={letter.id} />
            </td>
            <td data-label="Why">
              <span class="why dead">{REASONS[letter.reason]}</span>
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
      <button aria-label={`Handle again ${id}`} onClick={() => void changeThem('redrive', filter)}>
        Handle again
      </button>
      <button
        class="danger"
        aria-label={`Discard ${id}`}
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

const DEAD_REASONS: readonly DeadLetterReason[] = [
  'handler_failed',
  'output_invalid',
  'event_quarantined',
  'event_poisoned',
];

async function changeAll(
  what: 'redrive' | 'discard',
  filter: Filter,
  query: Readonly<Record<string, string>>,
): Promise<void> {
  const { count } = await read('count', query);
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
