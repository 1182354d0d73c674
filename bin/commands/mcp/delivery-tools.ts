import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { AttemptDetail, Delivery, DeliveryRowList } from '@hookproof/spec/control';
import { z } from 'zod';

import { attemptJson, isAccepted } from '../../running/attempt-line.ts';
import { deliveryOf } from '../../running/delivery.ts';
import { redeliver } from '../../running/redeliver.ts';
import { runningControl } from '../../running/running-control.ts';
import { explainServerDelivery } from '../explain/server-delivery.ts';
import { answer } from './answer.ts';

const START = 'Start one with hookproof serve --forward-to URL.';
const READS = { readOnlyHint: true, openWorldHint: false };

const DELIVERY = z.string().describe('ID of a delivery, dlv_…, or last');

/** Adds the tools that show the deliveries of the running server, and send one again. */
export function addDeliveryTools(server: McpServer): void {
  server.registerTool(
    'list_deliveries',
    {
      description:
        'Lists the webhook deliveries of the running local platform, newest first, each with its last attempt and the response of the app.',
      inputSchema: z.strictObject({
        status: z
          .enum(['pending', 'delivered', 'ended'])
          .optional()
          .describe('pending: is retried; delivered: got 2xx; ended: given up without a 2xx'),
        runId: z.string().optional().describe('Only the events of this run, exec_…'),
        eventId: z.string().optional().describe('Only this event, whev_…'),
        limit: z.number().int().min(1).max(100).default(20),
        cursor: z.string().optional().describe('nextCursor of the page before'),
      }),
      annotations: READS,
    },
    (input) => answer(() => listed(input)),
  );
  server.registerTool(
    'read_delivery',
    {
      description:
        'Reads one delivery with all its attempts. With the number of an attempt, also the request that was sent and the response.',
      inputSchema: z.strictObject({
        delivery: DELIVERY,
        attempt: z.number().int().min(1).optional().describe('Number of an attempt, from 1'),
      }),
      annotations: READS,
    },
    ({ delivery, attempt }) => answer(() => read(delivery, attempt)),
  );
  server.registerTool(
    'explain_delivery',
    {
      description:
        'Says why the last attempt of a delivery was refused or failed: cause, evidence and fix.',
      inputSchema: z.strictObject({
        delivery: DELIVERY,
        secret: z
          .string()
          .optional()
          .describe('Webhook secret of the app, to compare it. Default: WEBHOOK_SECRET'),
      }),
      annotations: READS,
    },
    ({ delivery, secret = process.env['WEBHOOK_SECRET'] }) =>
      answer(() => explainServerDelivery(delivery, secret === undefined ? [] : [secret])),
  );
  server.registerTool(
    'redeliver',
    {
      description:
        'Sends deliveries once more, with the same event and payload, and waits for the responses: after a fix, "ended" repeats everything that was given up.',
      inputSchema: z.strictObject({
        delivery: z
          .string()
          .default('last')
          .describe('last, ended, or the ID of a delivery (dlv_…) or of an event (whev_…)'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    ({ delivery }) => answer(() => sentAgain(delivery)),
  );
}

type ListInput = Readonly<Record<string, string | number | undefined>>;

async function listed(input: ListInput): Promise<DeliveryRowList> {
  const { control } = await runningControl(START);
  const query = new URLSearchParams({ order: 'newest' });
  for (const [name, value] of Object.entries(input)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return control('GET', `/delivery-rows?${query.toString()}`);
}

async function read(id: string, attempt: number | undefined): Promise<Delivery | AttemptDetail> {
  const server = await runningControl(START);
  const delivery = await deliveryOf(id, server);
  if (attempt === undefined) return delivery;
  return server.control('GET', `/deliveries/${delivery.id}/attempts/${attempt}`);
}

async function sentAgain(which: string): Promise<object> {
  const made = await redeliver(which, await runningControl(START));
  const attempts = made.filter((one) => one !== undefined);
  return {
    accepted: attempts.filter(isAccepted).length,
    refused: attempts.filter((one) => !isAccepted(one)).length,
    notMadeIn15Seconds: made.length - attempts.length,
    attempts: attempts.map(attemptJson),
  };
}
