import type { DeadLetter, DeadLetterReason } from '@hookproof/receiver';
import type { JSX } from 'preact';

import { DEAD_LETTER_REASONS } from '../src/stores/store.ts';
import { change, read } from './call.ts';
import type { Filter } from './call.ts';
import { confirm } from './confirm.tsx';
import { List } from './list.tsx';
import { Narrow, ofId } from './narrow.tsx';
import { look, notice, reason } from './state.ts';
import { Age, counted, Id, RunOf } from './values.tsx';

const REASONS: Readonly<Record<DeadLetterReason, string>> = {
  handler_failed: 'handler failed',
  output_invalid: 'output does not match',
  event_quarantined: 'not an event',
  event_poisoned: 'process ended',
};

const MEANINGS: Readonly<Record<DeadLetterReason, string>> = {
  handler_failed: 'Its handler failed until its time was over (retryForHours), or gave it up',
  output_invalid: 'Its output does not match the schema of withOutput()',
  event_quarantined: 'Its signature is valid, but its body is not an event of the contract',
  event_poisoned: 'The process ended five times in a row while it handled this event',
};

const HANDLE_MEANING = 'Calls the handlers again, with all attempts';
const DISCARD_MEANING = 'Gives up: it counts as handled, and its body is deleted';

/** The events that nothing handles any more, with their errors. */
export function DeadLetters({ id: of }: { readonly id: string }): JSX.Element {
  const chosen = reason.value;
  const query = { ...(chosen !== '' && { reason: chosen }), ...ofId(of) };
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
            <td data-label="Tries">
              <Tries of={letter} />
            </td>
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

/** How often it was tried: failures, and ends of the process. */
function Tries({ of: { attempts, crashes } }: { readonly of: DeadLetter }): JSX.Element {
  const failures = attempts > 0 || crashes === 0 ? [String(attempts)] : [];
  const ends = crashes > 0 ? [counted(crashes, 'end')] : [];
  return <span title="Failures, and ends of the process">{[...failures, ...ends].join(', ')}</span>;
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

async function changeAll(what: 'redrive' | 'discard', filter: Omit<Filter, 'ids'>): Promise<void> {
  const { count } = await read('count', { ...filter });
  const them = counted(count, 'dead letter');
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
    notice.value = `${counted(count, 'event')} ${done}.`;
  } catch (error) {
    notice.value = `Nothing was changed. ${error instanceof Error ? error.message : String(error)}`;
  }
  await look();
}
