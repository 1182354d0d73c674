import type { HeaderPair, KeyForm, SignatureVector } from '@hookproof/spec/vectors';
import { eventBody } from './event-body.ts';

/** The body of a case: UTF-8 text or bytes, and optional trailing spaces. */
export interface BodyDefinition {
  readonly bytes: string | Uint8Array;
  readonly trailingSpaces?: number;
}

/**
 * A case without its defaults. By default, a case is a valid delivery of a `run.created` event whose
 * id is `whev_` and the id of the case, so a definition contains only what differs.
 */
export interface VectorDefinition {
  readonly id: string;
  readonly comment: string;
  readonly flags: readonly string[];
  /** Default: `invalid` when there is a code, else `valid`. */
  readonly result?: SignatureVector['result'];
  /** Default: `contract`, `open` for a freedom. */
  readonly basis?: SignatureVector['basis'];
  /** Default: `valid` for an accepted case, else null. */
  readonly envelope?: SignatureVector['envelope'];
  /** Default: null. */
  readonly code?: string;
  /** Default: true. */
  readonly overHttp?: boolean;
  /** Default: `utf8`. */
  readonly key?: KeyForm;
  /** Default: 0. */
  readonly timestampOffset?: number;
  /** Event id in the signed message, and in the header unless `headers` says otherwise. */
  readonly eventId?: string;
  /** Timestamp in the signed message, and in the header unless `headers` says otherwise. */
  readonly timestamp?: string;
  /** The body sent. Default: a `run.created` event with `eventId`. */
  readonly body?: BodyDefinition;
  /** The body signed. Default: the body sent. */
  readonly signedBody?: BodyDefinition;
  /** Values that replace the valid ones. An array repeats the header; an empty array omits it. */
  readonly headers?: Partial<Record<'id' | 'timestamp' | 'signature', string | readonly string[]>>;
  /** The complete list of headers. `headers` is then ignored. */
  readonly allHeaders?: readonly HeaderPair[];
}

export const DEFAULT_TIMESTAMP = '{timestamp}';
const DEFAULT_SIGNATURE = 'v1,{digest}';

export function eventIdOf(definition: VectorDefinition): string {
  return definition.eventId ?? `whev_${definition.id}`;
}

export function bodyOf(definition: VectorDefinition): BodyDefinition {
  return definition.body ?? { bytes: eventBody(eventIdOf(definition)) };
}

/** Returns the headers to send, with placeholders. */
export function headersOf(definition: VectorDefinition): readonly HeaderPair[] {
  if (definition.allHeaders !== undefined) return definition.allHeaders;
  const given = definition.headers ?? {};
  return [
    ...fields('webhook-id', given.id ?? eventIdOf(definition)),
    ...fields('webhook-timestamp', given.timestamp ?? definition.timestamp ?? DEFAULT_TIMESTAMP),
    ...fields('webhook-signature', given.signature ?? DEFAULT_SIGNATURE),
  ];
}

function fields(name: string, values: string | readonly string[]): readonly HeaderPair[] {
  return (typeof values === 'string' ? [values] : values).map((value) => [name, value] as const);
}
