import { OUTPUT_TEXT_BYTES, SCENARIOS } from '@hookproof/spec/scenarios';
import type { Scenario } from '@hookproof/spec/scenarios';
import { signal, useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { address, go, WORLD } from '../address.ts';
import { createRun, listWebhookEndpoints } from '../control/operations.ts';
import { getDefaultWorld, readWorld } from '../control/worlds.ts';
import { useRecord } from '../rows/record.ts';
import { formText } from './form-text.ts';
import { valueOf } from './loaded.tsx';
import { attempt, notify } from './notice.tsx';

/** What the form begins with. */
interface Given {
  readonly automationId?: string;
  /** Any JSON value. */
  readonly output?: unknown;
}

/** The form is open while it is not null. */
const given: Signal<Given | null> = signal(null);

/** Opens the form that starts a run. */
export function chooseRun(change: Given = {}): void {
  given.value = change;
}

/** A run sends these by itself. A test event has a button; the others need payloads of their own. */
const CHOICES = SCENARIOS.filter(({ isTest, missing, isSimultaneous, replaced }) =>
  [isTest, missing, isSimultaneous, replaced].every((one) => one === undefined),
);
const OUTPUT = { invoice: 'invoice-4711', total: 4711, currency: 'EUR' };
/** Between two statuses. */
const STEP_MILLISECONDS = 500;

/** Starts a run by a scenario, with an automation and an output of the user's choice. */
export function StartRun(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = given.value !== null;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} aria-labelledby="start-title" onClose={close}>
      {given.value !== null && <Form given={given.value} />}
    </dialog>
  );
}

function close(): void {
  given.value = null;
}

function Form({
  given: { automationId, output = OUTPUT },
}: {
  readonly given: Given;
}): JSX.Element {
  const world = address.value.filters[WORLD];
  const fixtures = valueOf(
    useRecord(`world ${world}`, {
      read: () => (world === undefined ? getDefaultWorld() : readWorld(world)),
      concerns: () => false,
    }),
  )?.fixtures;
  const chosen = useSignal(CHOICES[0]);
  const automations = [
    [fixtures?.workflowId, fixtures?.workflowSlug],
    [fixtures?.agentId, fixtures?.agentSlug],
  ];
  const isOther = automations.every(([id]) => id !== automationId);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const { value: scenario } = chosen;
    if (!(event.currentTarget instanceof HTMLFormElement) || scenario === undefined) return;
    const automationOf = formText(event.currentTarget, 'automation');
    const outputText = formText(event.currentTarget, 'output');
    void attempt(async () => {
      const { id } = await start(scenario, world, automationOf, outputText);
      close();
      go({ page: 'runs', id });
      notify(`Run ${id} started.`, 'good');
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      <h2 id="start-title">Start a run</h2>
      <label>
        Scenario
        <select
          name="scenario"
          onChange={({ currentTarget: { value } }) => {
            chosen.value = CHOICES.find(({ name }) => name === value);
          }}
        >
          {CHOICES.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <p class="quiet">{chosen.value?.does}, to every enabled endpoint</p>
      <label>
        Automation
        <select name="automation" value={automationId ?? ''}>
          <option value="">default</option>
          {automations.map(([id, slug]) => (
            <option key={id} value={id}>
              {slug}
            </option>
          ))}
          {automationId !== undefined && isOther && <option>{automationId}</option>}
        </select>
      </label>
      <label>
        Output, if it completes: JSON
        <textarea
          name="output"
          rows={6}
          spellcheck={false}
          defaultValue={JSON.stringify(output, null, 2)}
        />
      </label>
      <div class="actions">
        <button type="submit" class="primary">
          Start
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
      <p class="quiet">
        The scenarios <code>gap</code>, <code>ties</code>, <code>unknown-type</code> and{' '}
        <code>unknown-version</code>: <code>npx hookproof trigger</code>
      </p>
    </form>
  );
}

async function start(
  { statuses, fault, isReversed = false, automation, output: size }: Scenario,
  worldId: string | undefined,
  automationId: string,
  outputText: string,
): ReturnType<typeof createRun> {
  const chosen = parsed(outputText);
  const output =
    size === undefined ? chosen : { chosen, text: 'x'.repeat(OUTPUT_TEXT_BYTES[size]) };
  const { fixtures } = await (worldId === undefined ? getDefaultWorld() : readWorld(worldId));
  const { data } = await listWebhookEndpoints(worldId);
  const enabled = data.filter((endpoint) => endpoint.enabled).length;
  // A number, so that the faults are exhausted and make room for others.
  const deliveries = Math.max(1, statuses.length * enabled);
  const [status, ...later] = statuses;
  const own = automation === 'agent' ? fixtures.agentId : fixtures.workflowId;
  const chosenId = automationId === '' ? own : automationId;
  return createRun({
    ...(worldId === undefined ? {} : { worldId }),
    ...(chosenId !== undefined && { automationId: chosenId }),
    triggerType: 'manual',
    status,
    scheduledTransitions: later.map((next) => {
      const step = { status: next, afterMilliseconds: STEP_MILLISECONDS };
      return next === 'completed' ? Object.assign(step, { output }) : step;
    }),
    deliveryFaults: [
      ...(fault === undefined ? [] : [{ ...fault, deliveries }]),
      ...(isReversed ? [{ name: 'reorder', deliveries } as const] : []),
    ],
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`The output must be JSON: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    });
  }
}
