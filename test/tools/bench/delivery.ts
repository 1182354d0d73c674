import { runStatusChangedEvent, signEvent } from '@hookproof/receiver/testing';

/** The secret of the benches. All peers accept it. */
export const SECRET = 'whsec_aG9va3Byb29mIGJlbmNoLCBub3QgYSByZWFsIHNlY3JldA==';

interface BenchDelivery {
  /** A typical number of headers, including the three signature headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: Buffer;
}

/** Returns a signed event whose body has exactly `bytes` bytes. Its output is a table. */
export function deliveryOf(bytes: number): BenchDelivery {
  const spare = bytes - sizeOf(eventWith([], ''));
  const rowBytes = sizeOf(ROW) + 1;
  const rows = Array.from({ length: Math.floor(spare / rowBytes) }, () => ROW);
  const event = eventWith(rows, 'x'.repeat(bytes - sizeOf(eventWith(rows, ''))));
  const { headers, body } = signEvent(event, { secret: SECRET });
  return {
    headers: {
      host: 'consumer.example',
      'user-agent': 'bench/1',
      'content-length': String(body.length),
      ...headers,
      connection: 'keep-alive',
    },
    id: headers['webhook-id'],
    timestamp: headers['webhook-timestamp'],
    signature: headers['webhook-signature'],
    body,
  };
}

const ROW = { line: 12, article: 'A-4711', quantity: 3, price: 19.95, taxed: true };

function eventWith(rows: readonly (typeof ROW)[], note: string) {
  const output = { rows, note };
  return runStatusChangedEvent({ id: 'whev_0123456789abcdef01234567', run: { output } });
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
