import type { JSX } from 'preact';

import { address, pathOf } from '../../address.ts';
import { listWebhookEndpoints } from '../../control/operations.ts';
import { Empty } from '../../parts/command.tsx';
import { useRecord } from '../../rows/record.ts';

/** What the list shows without deliveries: how to make the first, or how to see those that a filter hides. */
export function NoDeliveries(): JSX.Element {
  const { world, status, endpoint, run, event } = address.value.filters;
  const endpoints = useRecord(`endpoints of ${world}`, {
    read: async () => (await listWebhookEndpoints(world)).data,
    concerns: (row) => row.event === 'endpoint',
  }).value;
  if ([status, endpoint, run, event].some((filter) => filter !== undefined)) {
    return (
      <Empty title="No delivery matches the filters">
        <p>
          <a href={pathOf({ page: 'deliveries' })}>Show all deliveries</a>
        </p>
      </Empty>
    );
  }
  const hasEndpoint = endpoints !== null && 'value' in endpoints && endpoints.value.length > 0;
  if (hasEndpoint) {
    return (
      <Empty title="No deliveries yet" command="npx hookproof trigger">
        <p>
          A run sends its events to every endpoint. Press <b>Start run</b>, or type this in another
          terminal:
        </p>
      </Empty>
    );
  }
  return (
    <Empty
      title="No deliveries, because there is no endpoint yet"
      command="npx hookproof serve --forward-to http://localhost:3000/"
    >
      <p>
        Start the server with the URL of your app, or{' '}
        <a href={pathOf({ page: 'endpoints' })}>create an endpoint</a> here:
      </p>
    </Empty>
  );
}
