import { render } from 'preact';
import type { JSX } from 'preact';

import { RUN_STATUSES } from '../src/generated/constants.ts';
import { change } from './call.ts';
import type { Counts } from './call.ts';
import { Confirm, confirm } from './confirm.tsx';
import { DeadLetters } from './dead.tsx';
import { FoundPage } from './found.tsx';
import { container } from './given.ts';
import { Hours } from './hours.tsx';
import { listenToKeys } from './keys.ts';
import { Runs } from './runs.tsx';
import { failure, goTo, look, lookOn, notice, place, stats } from './state.ts';
import { duration } from './values.tsx';
import { Waiting } from './waiting.tsx';

function App(): JSX.Element {
  const shown = place.value;
  const counts = stats.value;
  return (
    <>
      <header>
        <h1>Hookproof inbox</h1>
        <Search />
        {counts !== null && <Connection />}
        <PauseButton paused={counts?.paused ?? []} sources={counts?.sources ?? []} />
      </header>
      {counts !== null && <Paused paused={counts.paused} />}
      {failure.value !== '' && (
        <p class="banner bad" role="alert">
          The inbox cannot be read. {failure.value}
        </p>
      )}
      <Hours />
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
        <Tab name="runs" label="Runs" count={undefined} isShown={shown.name === 'runs'} />
        {counts !== null && <Facts counts={counts} />}
      </nav>
      <main>
        {shown.name === 'waiting' && <Waiting id={shown.id} />}
        {shown.name === 'dead' && <DeadLetters id={shown.id} />}
        {shown.name === 'runs' && <Runs id={shown.id} />}
        {shown.name === 'find' && (
          <FoundPage key={`${shown.source} ${shown.id}`} id={shown.id} source={shown.source} />
        )}
      </main>
      <footer>
        <kbd>j</kbd> <kbd>k</kbd> next, previous · <kbd>Enter</kbd> open · <kbd>/</kbd> search
      </footer>
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
      {count !== undefined && (
        <span class={count === 0 ? 'count' : `count ${name}`}>{count.toLocaleString('en')}</span>
      )}
    </a>
  );
}

/** Whether the store responds. The banner says what failed. */
function Connection(): JSX.Element {
  return failure.value === '' ? (
    <span class="connection">live</span>
  ) : (
    <span class="connection lost">lost</span>
  );
}

function Facts({ counts }: { readonly counts: Counts }): JSX.Element {
  // A processor receives nothing, so it refuses nothing.
  const { inHand, retrying, oldestOpen, refused = 0 } = counts;
  return (
    <p class="facts">
      <span title="Runs that a process handles now">{inHand.toLocaleString('en')} in progress</span>
      {retrying > 0 && (
        <span title="Waiting events whose handler failed">
          {' '}
          · {retrying.toLocaleString('en')} retrying
        </span>
      )}
      {refused > 0 && (
        <span
          class="bad"
          title="Deliveries that this process refused for good since it started: their senders do not send them again"
        >
          {' '}
          · {refused.toLocaleString('en')} refused
        </span>
      )}
      {oldestOpen !== null && ` · oldest waits ${duration(oldestOpen)}`}
    </p>
  );
}

const FINDS = 'Run, event, agent or workflow';

function Search(): JSX.Element {
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const id = new FormData(event.currentTarget).get('id');
        if (typeof id === 'string' && id.trim() !== '') goTo('find', id.trim());
      }}
    >
      <input name="id" type="search" aria-label={FINDS} placeholder={FINDS} />
      <button>Find</button>
    </form>
  );
}

/** Pauses everything, one of several sources or one handler. */
function PauseButton({
  paused,
  sources,
}: {
  readonly paused: readonly string[];
  readonly sources: readonly string[];
}): JSX.Element {
  const ofSource = sources.length > 1 ? sources.map((source) => `${source}/*`) : [];
  return (
    <select
      aria-label="Pause"
      title="Handles nothing more, or no events of one status, in every process"
      value=""
      onChange={({ currentTarget }) => {
        const { value } = currentTarget;
        currentTarget.value = '';
        void pause(value);
      }}
    >
      <option value="">Pause…</option>
      {!paused.includes('*') && <option value="*">all handlers</option>}
      {RUN_STATUSES.filter((status) => !paused.includes(status)).map((status) => (
        <option key={status} value={status}>
          handlers of {status}
        </option>
      ))}
      {ofSource
        .filter((name) => !paused.includes(name))
        .map((name) => (
          <option key={name} value={name}>
            {handlersOf(name)}
          </option>
        ))}
    </select>
  );
}

/** Names what a pause concerns. */
function handlersOf(name: string): string {
  if (name === '*') return 'all handlers';
  const [source, handler] = partsOf(name);
  if (source === undefined) return `the handlers of ${handler}`;
  return handler === '*' ? `all handlers of ${source}` : `the handlers of ${handler} of ${source}`;
}

/** Reads the name of a pause: a handler, perhaps after that of a source and a slash. */
function partsOf(name: string): readonly [source: string | undefined, handler: string] {
  const end = name.indexOf('/');
  const source = name.slice(0, end);
  const isKnown = end > 0 && stats.value?.sources.includes(source) === true;
  return isKnown ? [source, name.slice(end + 1)] : [undefined, name];
}

async function pause(name: string): Promise<void> {
  const question = `Pause ${handlersOf(name)}, in every process? Events are accepted and wait.`;
  if (name !== '' && (await confirm(question, 'Pause'))) await send('pause', name);
}

async function send(what: 'pause' | 'resume', name: string): Promise<void> {
  try {
    const [source, handler] = partsOf(name);
    await change({
      change: what,
      ...(source !== undefined && { source }),
      ...(handler !== '*' && { handler }),
    });
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
            <span>{capitalized(handlersOf(name))} are paused. Events are accepted and wait.</span>
            <button onClick={() => void send('resume', name)}>
              Resume{name === '*' ? '' : ` ${name}`}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

render(<App />, container);
listenToKeys();
lookOn();
