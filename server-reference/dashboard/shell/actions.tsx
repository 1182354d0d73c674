import type { WebhookEndpoint } from '@hookproof/spec/control';
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { address, WORLD } from '../address.ts';
import { sendTestEvent } from '../control/events.ts';
import { listWebhookEndpoints, startRun } from '../control/operations.ts';
import { attempt, notify } from '../parts/notice.tsx';
import { chooseRun } from '../parts/start-run.tsx';

/** Starts a run, or sends a test event to an endpoint of the world. */
export function Actions(): JSX.Element {
  const choices = useSignal<readonly WebhookEndpoint[]>([]);
  const dialog = useRef<HTMLDialogElement>(null);
  const world = address.value.filters[WORLD];
  const run = (): Promise<void> =>
    attempt(async () => {
      const { id } = await startRun(world);
      notify(`Run ${id} started.`, 'good');
    });
  const test = (): Promise<void> =>
    attempt(async () => {
      const { data } = await listWebhookEndpoints(world);
      const enabled = data.filter((endpoint) => endpoint.enabled);
      if (enabled.length === 0) throw new Error('There is no enabled endpoint to send a test to.');
      if (enabled.length === 1) await sendTo(enabled[0]);
      else choices.value = enabled;
    });
  const isOpen = choices.value.length > 0;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const close = (): void => {
    choices.value = [];
  };
  return (
    <div class="actions">
      <button type="button" class="primary" onClick={() => void run()}>
        Start run
      </button>
      <button
        type="button"
        class="primary choose"
        aria-label="Choose what to start"
        title="Choose scenario, endpoint, automation and output"
        onClick={() => chooseRun()}
      >
        …
      </button>
      <button type="button" class="send-test" onClick={() => void test()}>
        Send test
      </button>
      <dialog ref={dialog} aria-labelledby="test-title" onClose={close}>
        <h2 id="test-title">Send a test event to</h2>
        <div class="choices">
          {choices.value.map((endpoint) => (
            <button
              type="button"
              key={endpoint.id}
              onClick={() => {
                close();
                void attempt(() => sendTo(endpoint));
              }}
            >
              {endpoint.url}
            </button>
          ))}
        </div>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </dialog>
    </div>
  );
}

async function sendTo(endpoint: WebhookEndpoint | undefined): Promise<void> {
  if (endpoint === undefined) return;
  const { eventId } = await sendTestEvent(endpoint.id);
  notify(`Test event ${eventId} sent to ${endpoint.url}.`, 'good');
}
