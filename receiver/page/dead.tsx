import type { DeadLetter, DeadLetterReason } from '@hookproof/receiver';
import type { JSX } from 'preact';

import { RUN_STATUSES } from '../src/generated/constants.ts';
import type { DeadLetterCause, DeadLetterGroup } from '../src/inbox/dead-letter-groups.ts';
import { DEAD_LETTER_REASONS } from '../src/stores/store.ts';
import { Attempts } from './attempts.tsx';
import { change, read } from './call.ts';
import type { Filter } from './call.ts';
import { confirm } from './confirm.tsx';
import { Groups } from './groups.tsx';
import { List } from './list.tsx';
import { Narrowed, ofId } from './narrowed.tsx';
import { hasSources, SourceChoice, sourceQuery } from './source.tsx';
import { addressOf, ANY, choose, chosen, look, notice, SINCE } from './state.ts';
import type { Chosen } from './state.ts';
import { Age, counted, Error, Move, RunOf } from './values.tsx';

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

const COLUMNS = ['Run', 'Event', 'Error', 'Attempts', 'Since', 'Actions'];
const REDRIVE_MEANING = 'Calls the handlers again, with all attempts';
const DISCARD_MEANING = 'Gives up: it counts as handled, and its body is deleted';

/** The events that nothing handles any more, by their causes and one by one. */
export function DeadLetters({ id: of }: { readonly id: string }): JSX.Element {
  const filter = { ...filterOf(chosen.value), ...ofId(of) };
  const isAll = Object.keys(filter).length === 0;
  return (
    <>
      <Narrowed list="dead" id={of} />
      <div class="toolbar">
        {hasSources() && <SourceChoice />}
        <Choice
          label="Reason"
          name="reason"
          options={DEAD_LETTER_REASONS.map((each) => [each, REASONS[each]])}
        />
        <Choice
          label="Handler"
          name="handler"
          options={handlerNames(chosen.value).map((each) => [each, each])}
        />
        <Choice
          label="Accepted"
          name="since"
          options={Object.keys(SINCE).map((each) => [each, each])}
        />
        <input
          type="search"
          aria-label="Message begins with"
          placeholder="Message begins with"
          value={chosen.value.message}
          onChange={({ currentTarget: { value } }) => choose({ message: value })}
        />
        {!isAll && (
          <a href="#dead" onClick={() => choose(ANY)}>
            Show all
          </a>
        )}
        <span class="space" />
        <span class="actions">
          <button title={REDRIVE_MEANING} onClick={() => void changeAll('redrive', filter)}>
            Redrive all…
          </button>
          <button
            class="danger"
            title={DISCARD_MEANING}
            onClick={() => void changeAll('discard', filter)}
          >
            Discard all…
          </button>
        </span>
      </div>
      <Groups
        query={queryOf(filter)}
        onShow={({ source, handler, reason, message }) => {
          choose({ source: hasSources() ? source : '', handler: handler ?? '', reason, message });
        }}
        onRedrive={(group) => void redriveGroup(filter, group)}
      />
      <List
        label="Dead letters"
        columns={hasSources() ? ['Source', ...COLUMNS] : COLUMNS}
        empty={isAll ? 'No dead letters.' : 'No dead letters match.'}
        of="dead"
        query={queryOf(filter)}
        addressOf={({ id, source }) => addressOf(id, source)}
        row={(letter) => <Row letter={letter} />}
      />
    </>
  );
}

function Row({ letter }: { readonly letter: DeadLetter }): JSX.Element {
  const { source, id, reason, error, isReplay, receivedAt, failures } = letter;
  const handler = failures.at(-1)?.handler ?? null;
  const isOther = handler !== null && handler !== letter.handler;
  return (
    <>
      {hasSources() && <td data-label="Source">{source}</td>}
      <td data-label="Run">
        <RunOf of={letter} />
      </td>
      <td data-label="Event">
        <a class="plain" href={addressOf(id, source)} title={id}>
          <Move of={letter} />
        </a>
        {isReplay && <span class="quiet">a replay</span>}
      </td>
      <td data-label="Error">
        <span class="why dead" title={MEANINGS[reason]}>
          {reason === 'handler_failed' && isOther ? `handler ${handler} failed` : REASONS[reason]}
        </span>
        <Error text={error} />
      </td>
      <td data-label="Attempts">
        <Attempts of={letter} />
      </td>
      <td data-label="Since">
        <Age at={receivedAt} />
      </td>
      <td class="actions">
        <DeadActions source={source} id={id} />
      </td>
    </>
  );
}

/** A choice of what the list shows. */
function Choice({
  label,
  name,
  options,
}: {
  readonly label: string;
  readonly name: 'reason' | 'handler' | 'since';
  readonly options: readonly (readonly [value: string, text: string])[];
}): JSX.Element {
  return (
    <label>
      {label}{' '}
      <select
        value={chosen.value[name]}
        onChange={({ currentTarget: { value } }) => choose({ [name]: value })}
      >
        <option value="">any</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The statuses of runs, and the type that is chosen if it is of an event without a run. */
function handlerNames({ handler }: Chosen): readonly string[] {
  const names: readonly string[] = RUN_STATUSES;
  return handler === '' || names.includes(handler) ? names : [...names, handler];
}

/** Returns the filter of what is chosen. */
function filterOf({ reason, handler, message, since }: Chosen): Filter {
  const known = DEAD_LETTER_REASONS.find((each) => each === reason);
  const ago = SINCE[since];
  return {
    ...sourceQuery(),
    ...(known !== undefined && { reason: known }),
    ...(handler !== '' && { handler }),
    ...(message !== '' && { message }),
    // Whole minutes, so that the list is not another one at each look.
    ...(ago !== undefined && { since: Math.floor((Date.now() - ago) / 60_000) * 60_000 }),
  };
}

function queryOf({ ids: _ids, ...filter }: Filter): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]));
}

/** What to do with one dead letter. */
export function DeadActions({
  source,
  id,
}: {
  readonly source: string;
  readonly id: string;
}): JSX.Element {
  const filter = { source, ids: [id] };
  const name = hasSources() ? `${id} of ${source}` : id;
  return (
    <>
      <button
        aria-label={`Redrive ${name}`}
        title={REDRIVE_MEANING}
        onClick={() => void changeThem('redrive', filter)}
      >
        Redrive
      </button>
      <button
        class="danger"
        aria-label={`Discard ${name}`}
        title={DISCARD_MEANING}
        onClick={() => void discard(`Discard ${name}? It then counts as handled.`, filter)}
      >
        Discard
      </button>
    </>
  );
}

async function changeAll(what: 'redrive' | 'discard', filter: Filter): Promise<void> {
  const { count } = await read('count', queryOf(filter));
  const them = counted(count, 'dead letter');
  const which =
    filter.message === undefined ? '' : ` whose message begins with "${filter.message}"`;
  if (what === 'discard') {
    await discard(`Discard ${them}${which}? They then count as handled.`, filter);
  } else if (await confirm(`Redrive ${them}${which}?`, 'Redrive')) {
    await changeThem('redrive', filter);
  }
}

async function redriveGroup(filter: Filter, group: DeadLetterGroup): Promise<void> {
  const { source, handler, reason, message, count } = group;
  const question = `Redrive ${counted(count, 'dead letter')}: ${message}?`;
  if (await confirm(question, 'Redrive')) {
    await changeThem('redrive', filter, { source, handler, reason, message });
  }
}

async function discard(question: string, filter: Filter): Promise<void> {
  if (await confirm(question, 'Discard', { isDestructive: true })) {
    await changeThem('discard', filter);
  }
}

async function changeThem(
  what: 'redrive' | 'discard',
  filter: Filter,
  cause?: DeadLetterCause,
): Promise<void> {
  const done = what === 'redrive' ? 'redriven' : 'discarded';
  try {
    const { count = 0 } = await change({
      change: what,
      filter,
      ...(cause !== undefined && { cause }),
    });
    notice.value = `${counted(count, 'dead letter')} ${done}.`;
  } catch (error) {
    notice.value = `Nothing was changed. ${String(error instanceof TypeError ? error.message : error)}`;
  }
  await look();
}
