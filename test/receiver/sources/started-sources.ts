import { createReceiver, platform } from '@hookproof/receiver';
import type { Problem, ReceiverResponse, SourceEvent } from '@hookproof/receiver';
import { github } from '@hookproof/receiver/github';
import { memoryStore } from '@hookproof/receiver/memory';
import { standardWebhooks } from '@hookproof/receiver/standard-webhooks';
import { stripe } from '@hookproof/receiver/stripe';
import { signEvent, virtualClock } from '@hookproof/receiver/testing';
import type { RunEvent } from '@hookproof/spec';
import { onTestFinished } from 'vitest';

import { GITHUB, STANDARD, STRIPE } from './senders.ts';

const RUNS_SECRET = 'whsec_of_the_platform';

const SENDERS = { stripe: STRIPE, crm: STANDARD, code: GITHUB };

/** Starts a receiver with four sources on a virtual clock, whose handlers record what they get. */
export async function startedSources({
  handle = () => {},
  order = 'none',
  retryForHours = 24,
}: {
  readonly handle?: (event: SourceEvent) => unknown;
  readonly order?: 'none' | 'serial';
  readonly retryForHours?: number;
} = {}) {
  const clock = virtualClock();
  const problems: Problem[] = [];
  const handled: string[] = [];
  const record = async (event: SourceEvent): Promise<void> => {
    await handle(event);
    handled.push(`${event.source} ${event.type} ${event.id}`);
  };
  const receiver = createReceiver({
    store: memoryStore(),
    clock,
    retryForHours,
    onError: (problem) => problems.push(problem),
    sources: {
      runs: platform({ secrets: RUNS_SECRET }),
      stripe: stripe({ secrets: STRIPE.secret, order }),
      crm: standardWebhooks({ secrets: STANDARD.secret }),
      code: github({ secrets: GITHUB.secret }),
    },
    handlers: {
      runs: { completed: ({ id }) => void handled.push(`runs completed ${id}`) },
      stripe: { 'invoice.paid': record, 'invoice.voided': record },
      crm: { event: record },
      code: { 'pull_request.opened': record },
    },
  });
  await receiver.start();
  onTestFinished(() => receiver.close());
  const send = async (
    name: keyof typeof SENDERS,
    body: object | Buffer = SENDERS[name].rawBody,
    changed: Readonly<Record<string, string>> = {},
  ): Promise<ReceiverResponse> => {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const signed = await SENDERS[name].sign(bytes, clock.now());
    const headers = { 'content-type': 'application/json', ...signed, ...changed };
    const response = await receiver.source(name).receive({ method: 'POST', headers, body: bytes });
    await receiver.idle();
    return response;
  };
  return {
    receiver,
    clock,
    problems,
    handled,
    send,
    async deliver(...events: readonly RunEvent[]) {
      for (const event of events) {
        const { headers, body } = signEvent(event, { secret: RUNS_SECRET, now: () => clock.now() });
        await receiver.source('runs').receive({ method: 'POST', headers, body });
      }
      await receiver.idle();
    },
    async advance(milliseconds: number) {
      await clock.advance(milliseconds);
      await receiver.idle();
    },
  };
}

/** An event of Stripe. */
export function invoice(id: string, type = 'invoice.paid', object = 'in_1') {
  return { id, object: 'event', type, created: 1_782_907_200, data: { object: { id: object } } };
}
