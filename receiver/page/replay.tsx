import { useRef } from 'preact/hooks';
import type { JSX } from 'preact';

import { RUN_STATUSES } from '../src/generated/constants.ts';
import { change, read } from './call.ts';
import type { ReplayFilter } from './call.ts';
import { confirm } from './confirm.tsx';
import { look, notice } from './state.ts';
import { counted } from './values.tsx';

const MEANING = 'Hands handled events whose bodies are kept to their handlers again';

/**
 * Hands one event, or the kept ones of a run, to their handlers again, after it has said how many.
 */
export function Replay({
  id,
  of,
}: {
  readonly id: string;
  readonly of: ReplayFilter;
}): JSX.Element {
  return (
    <button aria-label={`Replay ${id}`} title={MEANING} onClick={() => void replay(of)}>
      Replay…
    </button>
  );
}

/** Asks which handled events to replay, then does it as `Replay`. */
export function ReplayMany({ of }: { readonly of: ReplayFilter }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button title={MEANING} onClick={() => dialog.current?.showModal()}>
        Replay…
      </button>
      <dialog ref={dialog} aria-labelledby="which">
        <form
          method="dialog"
          onSubmit={({ currentTarget }) => {
            void replay({ ...of, ...chosenIn(new FormData(currentTarget)) });
          }}
        >
          <p id="which">
            Which handled events{of.automationId !== undefined && ` of ${of.automationId}`}?
          </p>
          <label class="field">
            Status of the run
            <select name="handler">
              <option value="">all</option>
              {RUN_STATUSES.map((status) => (
                <option key={status} value={status}>
                  {status}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            Accepted from (your time)
            <input name="since" type="datetime-local" />
          </label>
          <label class="field">
            Accepted before (your time)
            <input name="until" type="datetime-local" />
          </label>
          <div class="toolbar">
            <span class="space" />
            <button type="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
            <button class="main">Count…</button>
          </div>
        </form>
      </dialog>
    </>
  );
}

function chosenIn(form: FormData): Pick<ReplayFilter, 'handler' | 'since' | 'until'> {
  const handler = RUN_STATUSES.find((status) => status === form.get('handler'));
  const [since, until] = [timeIn(form, 'since'), timeIn(form, 'until')];
  return {
    ...(handler !== undefined && { handler }),
    ...(since !== null && { since }),
    ...(until !== null && { until }),
  };
}

function timeIn(form: FormData, name: string): number | null {
  const value = form.get(name);
  return typeof value === 'string' && value !== '' ? new Date(value).getTime() : null;
}

async function replay(filter: ReplayFilter): Promise<void> {
  try {
    const count = await countOf(filter);
    if (count === 0) {
      notice.value = 'Nothing to replay: no body of such an event is kept (keepBodiesDays).';
      return;
    }
    const question = `Replay ${events(count)}?`;
    if (!(await confirm(question, 'Replay'))) return;
    const done = await change({ change: 'replay', filter });
    notice.value = `${events(done.count ?? 0)} replayed.`;
  } catch (error) {
    notice.value = `Nothing was changed. ${error instanceof Error ? error.message : String(error)}`;
  }
  await look();
}

async function countOf({ ids, ...filter }: ReplayFilter): Promise<number> {
  if (ids !== undefined) return ids.length;
  const query = Object.entries(filter).map(([name, value]) => [name, String(value)] as const);
  return (await read('replayable', Object.fromEntries(query))).count;
}

function events(count: number): string {
  return counted(count, 'handled event');
}
