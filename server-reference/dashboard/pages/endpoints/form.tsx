import type { JSX } from 'preact';

import { address, go } from '../../address.ts';
import { createEndpoint } from '../../control/endpoints.ts';
import { formText } from '../../parts/form-text.ts';
import { attempt } from '../../parts/notice.tsx';
import { Detail } from '../../parts/page.tsx';

/** The row of the address for an endpoint that is not created yet. */
export const NEW = 'new';

/** Creates an endpoint. */
export function EndpointForm(): JSX.Element {
  return (
    <Detail title="New endpoint">
      <form class="form" onSubmit={submit}>
        <label>
          URL
          <input
            name="url"
            type="url"
            required
            autocomplete="off"
            placeholder="http://localhost:3000/hooks"
            ref={(field) => {
              if (field !== null && field.value === '') field.focus();
            }}
          />
        </label>
        <label>
          Headers, one a line
          <textarea name="headers" rows={3} spellcheck={false} placeholder="X-Team: blue" />
        </label>
        <label>
          Secret
          <input
            name="secret"
            autocomplete="off"
            spellcheck={false}
            pattern="whsec_[!-~]+"
            title="whsec_ and at least one more character"
            placeholder="generated"
          />
        </label>
        <div class="actions">
          <button type="submit" class="primary">
            Create endpoint
          </button>
        </div>
      </form>
    </Detail>
  );
}

function submit(event: SubmitEvent): void {
  event.preventDefault();
  if (!(event.currentTarget instanceof HTMLFormElement)) return;
  const form = event.currentTarget;
  const textOf = (name: string): string => formText(form, name).trim();
  const secret = textOf('secret');
  const worldId = address.value.filters['world'];
  void attempt(async () => {
    const created = await createEndpoint({
      url: textOf('url'),
      headers: headersOf(textOf('headers')),
      ...(secret === '' ? {} : { secret }),
      ...(worldId === undefined ? {} : { worldId }),
    });
    go({ id: created.id });
  }, 'Endpoint created.');
}

/** The server refuses lines that are no headers. */
function headersOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.trim(), value.join(':').trim()];
    }),
  );
}
