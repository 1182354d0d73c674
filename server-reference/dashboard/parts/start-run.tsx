import type { WebhookEndpoint, World } from '@hookproof/spec/control';
import { SCENARIOS } from '@hookproof/spec/scenarios';
import { signal, useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { address, go, WORLD } from '../address.ts';
import { sendScenario } from '../control/events.ts';
import { listWebhookEndpoints } from '../control/operations.ts';
import { getWorld } from '../control/worlds.ts';
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

const OUTPUT = { invoice: 'invoice-4711', total: 4711, currency: 'EUR' };

/** Starts a run by a scenario, to one endpoint or all, with an automation and an output of the user's choice. */
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
  const worldId = address.value.filters[WORLD];
  const choices = valueOf(
    useRecord(`choices of ${worldId}`, {
      read: () => readChoices(worldId),
      concerns: ({ event }) => event === 'endpoint',
    }),
  );
  const endpoints = choices?.endpoints ?? [];
  const fixtures = choices?.world.fixtures;
  const scenario = useSignal(SCENARIOS[0]);
  const endpointId = useSignal('');
  const automations = [
    [fixtures?.workflowId, fixtures?.workflowSlug],
    [fixtures?.agentId, fixtures?.agentSlug],
  ];
  const isOther = automations.every(([id]) => id !== automationId);
  const isTest = scenario.value?.isTest === true;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const { value: chosen } = scenario;
    const form = event.currentTarget;
    if (!(form instanceof HTMLFormElement) || chosen === undefined || choices === undefined) return;
    void attempt(async () => {
      const automation = formText(form, 'automation');
      const { runId } = await sendScenario({
        scenario: chosen.name,
        worldId: choices.world.id,
        ...(automation === '' ? {} : { automationId: automation }),
        ...(endpointId.value === '' ? {} : { endpointId: endpointId.value }),
        ...(isTest ? {} : { output: parsed(formText(form, 'output')) }),
      });
      close();
      go(runId === null ? { page: 'deliveries' } : { page: 'runs', id: runId });
      notify(runId === null ? 'Test event sent.' : `Run ${runId} started.`, 'good');
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
            scenario.value = SCENARIOS.find(({ name }) => name === value);
          }}
        >
          {SCENARIOS.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <p class="quiet">{scenario.value?.does}</p>
      <label>
        Endpoint
        <select
          name="endpoint"
          value={endpointId.value}
          onChange={({ currentTarget: { value } }) => {
            endpointId.value = value;
          }}
        >
          <option value="">{`every enabled endpoint (${endpoints.length})`}</option>
          {endpoints.map(({ id, url }) => (
            <option key={id} value={id}>
              {url}
            </option>
          ))}
        </select>
      </label>
      {!isTest && endpointId.value !== '' && (
        <p class="quiet">
          A run sends its events to every endpoint. For one of them, the server makes a run that
          sends nothing, and sends its events after it has ended.
        </p>
      )}
      {!isTest && (
        <>
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
            Output of a completed run, as JSON
            <textarea
              name="output"
              rows={6}
              spellcheck={false}
              defaultValue={JSON.stringify(output, null, 2)}
            />
          </label>
        </>
      )}
      <div class="actions">
        <button type="submit" class="primary">
          Start
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
}

async function readChoices(worldId: string | undefined): Promise<{
  readonly world: World;
  readonly endpoints: readonly WebhookEndpoint[];
}> {
  const world = await getWorld(worldId);
  const { data } = await listWebhookEndpoints(world.id);
  return { world, endpoints: data.filter(({ enabled }) => enabled) };
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
