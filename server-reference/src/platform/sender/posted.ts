import type { PathologyName } from '../../lab/delivery-faults/delivery-fault.ts';

/** A request as the sender makes it of an event and its endpoint, before any pathology. */
export interface HonestRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** One POST of a delivery that has begun, told to whoever watches the endpoints of this process. */
export interface Posted {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly endpointId: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly request: HonestRequest;
  /** What befell it on the way. */
  readonly pathology: PathologyName | null;
  /** The port that its connection comes from, by which an endpoint of this process knows it again; undefined until it stands. */
  localPort(): number | undefined;
  /** Resolves to the number of its row in the attempts, or null when it was never recorded. */
  readonly recorded: Promise<number | null>;
  /** The endpoint holds its answer back until a time of the clock, so that a virtual clock need not wait for it. */
  held(): void;
  /** The endpoint goes on to answer. */
  released(): void;
}

/** Somebody who watches the endpoints of this process. */
export interface PostObserver {
  /** Whether the POSTs to this URL are to be told. */
  watches(url: string): boolean;
  /** Called before the first byte leaves; also for a POST that a pathology drops. */
  posted(posted: Posted): void;
}
