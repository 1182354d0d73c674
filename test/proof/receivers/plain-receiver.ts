import { createHmac, timingSafeEqual } from 'node:crypto';

/** The three webhook headers of a request; undefined for a missing one. */
interface WebhookHeaders {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
}

interface Entry {
  readonly id: string;
  readonly runId: string;
  readonly type: string;
  readonly status: string;
  readonly createdAt: number;
}

const ENDS = new Set(['completed', 'failed', 'cancelled', 'rejected']);

/** The rules of the contract as a short program, without the library of this repository. */
export class PlainReceiver {
  readonly #secret: string;
  readonly #known = new Set<string>();
  readonly #entries: Entry[] = [];

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** What the observer shows: the events in the order of their runs. */
  get handled(): readonly Entry[] {
    return this.#entries.toSorted(
      (one, other) =>
        one.createdAt - other.createdAt ||
        Number(ENDS.has(one.status)) - Number(ENDS.has(other.status)),
    );
  }

  /** The status of the response. */
  receive(headers: WebhookHeaders, body: Buffer): number {
    if (!isSigned(this.#secret, headers, body)) return 401;
    const event: {
      id: string;
      type: string;
      createdAt: string;
      test: boolean;
      data: { run: { id: string; status: string } } | null;
    } = JSON.parse(body.toString('utf8'));
    if (event.test || event.data === null || this.#known.has(event.id)) return 200;
    this.#known.add(event.id);
    const { id, type, createdAt, data } = event;
    const { id: runId, status } = data.run;
    this.#entries.push({ id, runId, type, status, createdAt: Date.parse(createdAt) });
    return 202;
  }
}

function isSigned(
  secret: string,
  { id, timestamp, signature }: WebhookHeaders,
  body: Buffer,
): boolean {
  if (id === undefined || !id.startsWith('whev_')) return false;
  if (timestamp === undefined || !/^\d+$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const digest = /^v1,([0-9a-fA-F]{64})$/.exec(signature ?? '')?.[1];
  if (digest === undefined) return false;
  const computed = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest();
  return timingSafeEqual(computed, Buffer.from(digest, 'hex'));
}
