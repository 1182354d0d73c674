import { useSignal } from '@preact/signals';
import type { WebhookEndpoint } from '@hookproof/spec/control';
import type { JSX } from 'preact';

import { go, pathOf } from '../../address.ts';
import { changeEndpoint, deleteEndpoint, getEndpoint } from '../../control/endpoints.ts';
import { sendTestEvent } from '../../control/events.ts';
import { getWorld } from '../../control/worlds.ts';
import { CopyButton } from '../../parts/command.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Headers } from '../../parts/content.tsx';
import { Loaded, valueOf } from '../../parts/loaded.tsx';
import { attempt } from '../../parts/notice.tsx';
import { Detail } from '../../parts/page.tsx';
import { Chip, Facts, Named, Time } from '../../parts/values.tsx';
import { useRecord } from '../../rows/record.ts';
import { Snippets } from './snippets.tsx';

/** An endpoint with its secret on demand, and the code that receives its events. */
export function EndpointDetail({ id }: { readonly id: string }): JSX.Element {
  const reading = useRecord(id, {
    read: () => read(id),
    concerns: ({ event, data }) => event === 'endpoint' && data.id === id,
  });
  const endpoint = valueOf(reading)?.endpoint;
  return (
    <Detail title="Endpoint" id={id} actions={endpoint && <EndpointActions {...endpoint} />}>
      <Loaded reading={reading}>{(shown) => <EndpointView {...shown} />}</Loaded>
    </Detail>
  );
}

interface Shown {
  readonly endpoint: WebhookEndpoint;
  readonly worldName: string;
}

async function read(id: string): Promise<Shown> {
  const [endpoint, { id: defaultId }] = await Promise.all([getEndpoint(id), getWorld()]);
  const { label } = await getWorld(endpoint.worldId);
  const unnamed = endpoint.worldId === defaultId ? 'default world' : 'world without a label';
  return { endpoint, worldName: label ?? unnamed };
}

function EndpointActions({ id, enabled }: WebhookEndpoint): JSX.Element {
  return (
    <>
      <button
        type="button"
        class="primary"
        disabled={!enabled}
        onClick={() => void attempt(() => sendTestEvent(id), 'Test event sent.')}
      >
        Send test
      </button>
      <button
        type="button"
        onClick={() =>
          void attempt(
            () => changeEndpoint(id, { enabled: !enabled }),
            enabled ? 'Disabled. Its pending deliveries have ended.' : 'Enabled.',
          )
        }
      >
        {enabled ? 'Disable' : 'Enable'}
      </button>
      <Confirm
        label="Delete"
        title="Delete the endpoint"
        sure="Delete it, and end its deliveries"
        done="Endpoint deleted."
        run={async () => {
          await deleteEndpoint(id);
          go({ id: null });
        }}
      />
    </>
  );
}

function EndpointView({ endpoint, worldName }: Shown): JSX.Element {
  const { id, worldId, url, headers, secret, enabled, createdAt } = endpoint;
  const isShown = useSignal(false);
  const pairs = Object.entries(headers);
  return (
    <>
      <Facts
        of={{
          URL: url,
          State: <Chip tone={enabled ? 'good' : 'plain'} text={enabled ? 'enabled' : 'disabled'} />,
          Created: <Time iso={createdAt} />,
          World: (
            <Named href={pathOf({ page: 'world', id: worldId })} name={worldName} id={worldId} />
          ),
          Deliveries: (
            <a href={pathOf({ page: 'deliveries', filters: { endpoint: id } })}>
              deliveries to this endpoint
            </a>
          ),
          Secret: (
            <span class="actions">
              <code>{isShown.value ? secret : 'whsec_…'}</code>
              <button
                type="button"
                onClick={() => {
                  isShown.value = !isShown.value;
                }}
              >
                {isShown.value ? 'Hide' : 'Show'}
              </button>
              <CopyButton text={secret} title="Copy the secret" />
            </span>
          ),
        }}
      />
      {pairs.length > 0 && (
        <>
          <h3>Headers</h3>
          <Headers headers={pairs} />
        </>
      )}
      <Snippets secret={secret} isShown={isShown.value} />
    </>
  );
}
