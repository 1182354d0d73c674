import type { SentPost } from '../../../../server-reference/src/lab/sinks/exchange.ts';

export interface PostedByHand extends SentPost {
  /** How the sink reports held responses. */
  readonly calls: ('pause' | 'resume')[];
  record(number: number | null): void;
  /** The sender gives the attempt up. */
  abort(): void;
}

export interface PostedOptions {
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly port?: () => number | undefined;
}

/** A POST as the sender reports it. */
export function posted({
  url = 'http://127.0.0.1:1/sink_1',
  headers = {},
  body = '',
  port = () => undefined,
}: PostedOptions = {}): PostedByHand {
  const controller = new AbortController();
  const listeners: ((number: number | null) => void)[] = [];
  const calls: PostedByHand['calls'] = [];
  return {
    deliveryId: 'dlv_1',
    eventId: 'evt_1',
    endpointId: 'whep_1',
    startedAt: Date.parse('2026-07-01T00:00:00.000Z'),
    request: { url, headers, body: Buffer.from(body) },
    deliveryFault: null,
    localPort: port,
    onRecorded: (listener) => void listeners.push(listener),
    signal: controller.signal,
    tracked: {
      pause: () => void calls.push('pause'),
      resume: () => void calls.push('resume'),
    },
    calls,
    record: (number) => {
      for (const listener of listeners) listener(number);
    },
    abort: () => controller.abort('timeout'),
  };
}
