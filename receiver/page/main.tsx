import type { ReceiverStats } from '@hookproof/receiver';
import { render } from 'preact';
import type { JSX } from 'preact';

import { change } from './call.ts';
import { Confirm, confirm } from './confirm.tsx';
import { DeadLetters } from './dead.tsx';
import { FoundPage } from './found.tsx';
import { failure, look, lookOn, notice, place, stats } from './state.ts';
import { duration } from './values.tsx';
import { Waiting } from './waiting.tsx';

const STATUSES = [
  'created',
  'pending',
  'running',
  'waiting',
  'finalizing',
  'completed',
  'failed',
  'cancelled',
  'rejected',
] as const;

function App(): JSX.Element {
  const shown = place.value;
  const counts = stats.value;
  return (
    <>
      <header>
        <h1>Webhook inbox</h1>
        <Search />
        <PauseButton paused={counts?.paused ?? []} />
      </header>
      {counts !== null && <Paused paused={counts.paused} />}
      {failure.value !== '' && (
        <p class="banner bad" role="alert">
          The inbox cannot be read. {failure.value}
        </p>
      )}
      <nav class="tabs" aria-label="Lists">
        <Tab
          name="waiting"
          label="Waiting"
          count={counts?.open}
          isShown={shown.name === 'waiting'}
        />
        <Tab
          name="dead"
          label="Dead letters"
          count={counts?.dead}
          isShown={shown.name === 'dead'}
        />
        {counts !== null && <Facts counts={counts} />}
      </nav>
      <main>
        {shown.name === 'waiting' && <Waiting />}
        {shown.name === 'dead' && <DeadLetters />}
        {shown.name === 'find' && <FoundPage key={shown.id} id={shown.id} />}
      </main>
      <p class="notice" role="status">
        {notice.value}
      </p>
      <Confirm />
    </>
  );
}

function Tab(properties: {
  readonly name: string;
  readonly label: string;
  readonly count: number | undefined;
  readonly isShown: boolean;
}): JSX.Element {
  const { name, label, count, isShown } = properties;
  return (
    <a href={`#${name}`} aria-current={isShown ? 'page' : undefined}>
      {label}{' '}
      {count !== undefined && <span class={`count ${name}`}>{count.toLocaleString('en')}</span>}
    </a>
  );
}

function Facts({ counts }: { readonly counts: ReceiverStats }): JSX.Element {
  const { inHand, settled, oldestOpen } = counts;
  return (
    <p class="facts">
      {inHand.toLocaleString('en')} in hand · {settled.toLocaleString('en')} handled
      {oldestOpen !== null && ` · oldest waits ${duration(oldestOpen)}`}
    </p>
  );
}

function Search(): JSX.Element {
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const id = new FormData(event.currentTarget).get('id');
        if (typeof id === 'string' && id.trim() !== '') {
          location.hash = `find=${encodeURIComponent(id.trim())}`;
        }
      }}
    >
      <input name="id" type="search" aria-label="Run or event id" placeholder="Run or event id" />
      <button>Find</button>
    </form>
  );
}

/** Pauses everything or one handler. */
function PauseButton({ paused }: { readonly paused: readonly string[] }): JSX.Element {
  return (
    <select
      aria-label="Pause"
      value=""
      onChange={({ currentTarget }) => {
        const { value } = currentTarget;
        currentTarget.value = '';
        void pause(value);
      }}
    >
      <option value="">Pause…</option>
      {!paused.includes('*') && <option value="*">all handlers</option>}
      {STATUSES.filter((status) => !paused.includes(status)).map((status) => (
        <option key={status} value={status}>
          handlers of {status}
        </option>
      ))}
    </select>
  );
}

async function pause(name: string): Promise<void> {
  const what = name === '*' ? 'all handlers' : `the handlers of ${name}`;
  const question = `Pause ${what}, in every process? Events are accepted and wait.`;
  if (name !== '' && (await confirm(question, 'Pause'))) await send('pause', name);
}

async function send(what: 'pause' | 'resume', name: string): Promise<void> {
  try {
    await change({ change: what, ...(name !== '*' && { handler: name }) });
    notice.value = what === 'pause' ? 'Paused.' : 'Resumed.';
  } catch (error) {
    notice.value = error instanceof Error ? error.message : String(error);
  }
  await look();
}

function Paused({ paused }: { readonly paused: readonly string[] }): JSX.Element | null {
  if (paused.length === 0) return null;
  return (
    <section aria-label="Paused">
      <ul class="banner wait">
        {paused.map((name) => (
          <li key={name}>
            {name === '*' ? 'All handlers are paused.' : `The handlers of ${name} are paused.`}{' '}
            Events are accepted and wait.{' '}
            <button onClick={() => void send('resume', name)}>
              Resume{name === '*' ? '' : ` ${name}`}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const root = document.getElementById('app');
if (root !== null) render(<App />, root);
lookOn();
