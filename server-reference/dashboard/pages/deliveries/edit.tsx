import type { Delivery } from '@hookproof/spec/control';
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { newEventId, sendEvent } from '../../control/events.ts';
import { formText } from '../../parts/form-text.ts';
import { attempt } from '../../parts/notice.tsx';

interface EditProps {
  readonly delivery: Pick<Delivery, 'endpointId'>;
  readonly body: string;
}

/** Sends the event again with a changed payload, signed, to the same endpoint. */
export function EditAndSend({ delivery: { endpointId }, body }: EditProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = useSignal(false);
  useEffect(() => {
    if (isOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen.value]);
  const close = (): void => {
    isOpen.value = false;
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const payload = formText(event.currentTarget, 'payload');
    void attempt(async () => {
      await sendEvent({ endpointId, payload });
      close();
    }, 'Changed event sent.');
  };
  return (
    <>
      <button
        type="button"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        Again, changed
      </button>
      <dialog ref={dialog} class="wide" aria-labelledby="edit-title" onClose={close}>
        {isOpen.value && (
          <form class="form" onSubmit={submit}>
            <h2 id="edit-title">Send again, changed</h2>
            <label>
              Payload. Its id is new, because an app can ignore a known one as a duplicate
              <textarea
                name="payload"
                rows={18}
                spellcheck={false}
                defaultValue={withNewId(body)}
              />
            </label>
            <div class="actions">
              <button type="submit" class="primary">
                Send
              </button>
              <button type="button" onClick={close}>
                Cancel
              </button>
            </div>
          </form>
        )}
      </dialog>
    </>
  );
}

/** Another event has another id. */
function withNewId(body: string): string {
  return JSON.stringify({ ...JSON.parse(body), id: newEventId() }, null, 2);
}
