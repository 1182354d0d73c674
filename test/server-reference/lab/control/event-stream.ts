import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';

import type { StreamEvent } from '@hookproof/spec/control';
import type { ReferenceServer } from '@hookproof/server-reference';
import { expect, onTestFinished } from 'vitest';

import { assertStreamEvent } from './control-contract.ts';

/** A reader of `GET /stream`. It compares every event with control.yaml. */
export interface StreamReader {
  readonly response: IncomingMessage;
  /** Resolves with the next event, or with null when the stream has ended. */
  next(): Promise<StreamEvent | null>;
  /** Reads until an event fits, and returns it with all before it. */
  until(fits: (event: StreamEvent) => boolean): Promise<StreamEvent[]>;
  close(): void;
}

type Address = Pick<ReferenceServer, 'controlUrl' | 'controlToken'>;

/** Opens a stream. `lastEventId` resumes after an event. */
export async function openStream(
  { controlUrl, controlToken }: Address,
  lastEventId?: string,
): Promise<StreamReader> {
  const headers = {
    authorization: `Bearer ${controlToken}`,
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${controlUrl}/stream`, { headers, agent: false }, resolve).on('error', reject).end();
  });
  const events = eventsOf(response);
  const close = (): void => void response.destroy();
  onTestFinished(close);
  const next = async (): Promise<StreamEvent | null> => (await events.next()).value ?? null;
  return {
    response,
    next,
    close,
    async until(fits) {
      const read: StreamEvent[] = [];
      for (;;) {
        const event = (await next()) ?? expect.unreachable('the stream has ended');
        read.push(event);
        if (fits(event)) return read;
      }
    },
  };
}

async function* eventsOf(response: IncomingMessage): AsyncGenerator<StreamEvent, undefined> {
  let text = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += String(chunk);
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks.filter((one) => !one.startsWith(':'))) yield parse(block);
    }
  } catch {
    // The server cuts the connection when it closes.
  }
  return undefined;
}

function parse(block: string): StreamEvent {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  const event = {
    event: fields['event'],
    id: fields['id'],
    data: JSON.parse(fields['data'] ?? ''),
  };
  return assertStreamEvent(event);
}
