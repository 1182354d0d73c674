import { digest } from '@hookproof/conformance/hooks';
import type { HeaderPair } from '@hookproof/conformance/hooks';
import { EVENT_ID_PREFIX, SIGNATURE_PREFIX, TIMESTAMP_TOLERANCE_SECONDS } from '@hookproof/spec';

/** What a receiver verifies. */
export interface Arrival {
  readonly headers: readonly HeaderPair[];
  readonly body: Uint8Array;
  /** The receiver's time in seconds since the epoch. */
  readonly now: number;
}

/** The webhook headers that a receiver reads; undefined without the header, or with a repeated one. */
export interface Signed {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
}

/** The steps of a valid receiver. A defect replaces one of them. */
export interface Steps {
  readonly headers: (arrival: Arrival) => Signed;
  /** Decides before anything is verified; null: verify. */
  readonly atOnce: (signed: Signed, arrival: Arrival) => boolean | null;
  /** The timestamp in seconds; null for a malformed one. */
  readonly seconds: (timestamp: string) => number | null;
  /** Whether a timestamp of this age is within the tolerance; a negative age is in the future. */
  readonly isFresh: (age: number, arrival: Arrival) => boolean;
  /** The digests that the header offers, as hex digits in lower case. */
  readonly digests: (signature: string) => readonly string[];
  /** The ids, timestamps and bodies for which a digest is valid. */
  readonly ids: (id: string) => readonly string[];
  readonly timestamps: (timestamp: string) => readonly string[];
  readonly body: (body: Uint8Array) => Uint8Array;
  readonly keys: (key: Uint8Array) => readonly Uint8Array[];
  readonly isEqual: (given: string, computed: string) => boolean;
}

const HEX_DIGEST = /^[0-9a-f]{64}$/;

/** The rules of the contract, each in its strict reading. */
export const RIGHT_STEPS: Steps = {
  headers: (arrival) => ({
    id: only(arrival, 'webhook-id'),
    timestamp: only(arrival, 'webhook-timestamp'),
    signature: only(arrival, 'webhook-signature'),
  }),
  atOnce: () => null,
  seconds: (timestamp) => (/^(0|[1-9]\d{0,11})$/.test(timestamp) ? Number(timestamp) : null),
  isFresh: (age) => Math.abs(age) <= TIMESTAMP_TOLERANCE_SECONDS,
  digests: (signature) => {
    const rest = signature.startsWith(SIGNATURE_PREFIX) ? signature.slice(3).toLowerCase() : '';
    return HEX_DIGEST.test(rest) ? [rest] : [];
  },
  ids: (id) => [id],
  timestamps: (timestamp) => [timestamp],
  body: (body) => body,
  keys: (key) => [key],
  isEqual: (given, computed) => given === computed,
};

/** Whether a receiver with these steps accepts a delivery. */
export function accepts(steps: Steps, arrival: Arrival, key: Uint8Array): boolean {
  const signed = steps.headers(arrival);
  const decided = steps.atOnce(signed, arrival);
  if (decided !== null) return decided;
  const { id, timestamp, signature } = signed;
  if (id === undefined || timestamp === undefined || signature === undefined) return false;
  if (!id.startsWith(EVENT_ID_PREFIX)) return false;
  const seconds = steps.seconds(timestamp);
  if (seconds === null || !steps.isFresh(arrival.now - seconds, arrival)) return false;
  const body = steps.body(arrival.body);
  const computed = steps
    .keys(key)
    .flatMap((each) =>
      steps
        .ids(id)
        .flatMap((signedId) =>
          steps
            .timestamps(timestamp)
            .map((signedTimestamp) =>
              digest(each, { id: signedId, timestamp: signedTimestamp, body }),
            ),
        ),
    );
  return steps
    .digests(signature)
    .some((given) => computed.some((one) => steps.isEqual(given, one)));
}

/** All values of a header, in their order. */
export function valuesOf({ headers }: Arrival, wanted: string): readonly string[] {
  return headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
}

function only(arrival: Arrival, name: string): string | undefined {
  const [value, ...others] = valuesOf(arrival, name);
  return others.length === 0 ? value : undefined;
}
