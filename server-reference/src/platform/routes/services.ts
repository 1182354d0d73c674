import type { IncomingMessage, ServerResponse } from 'node:http';

import type { RequestLimits } from '../access/rate-limit.ts';
import type { Clock } from '../clock/clock.ts';
import type { Download, Redirect } from '../http/response.ts';
import type { RunWorker } from '../runs/run-worker.ts';
import type { Sender } from '../sender/sender.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { ApiKeyRecord } from '../state/tenants.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Store } from '../store/store.ts';

/** The configuration of the API. */
export interface Settings {
  /** Maximum size of a JSON body in bytes. */
  readonly bodyLimitBytes: number;
  /** Maximum size of an uploaded file in bytes. */
  readonly uploadLimitBytes: number;
  /** Downloads and exports larger than this number of bytes are redirected to storage. Null: none. */
  readonly redirectAboveBytes: number | null;
  /** The lifetime of a signed URL in seconds. */
  readonly signedUrlSeconds: number;
}

/** The services of the routes. */
export interface Services {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly sender: Sender;
  readonly runWorker: RunWorker;
  readonly limits: RequestLimits;
  /** The ports of this server. */
  readonly ownPorts: ReadonlySet<number>;
  readonly settings: Settings;
}

/** A request that has passed authentication, scope and validation. */
export interface ApiRequest<Query = unknown, Body = unknown> {
  /** The calling key, with its tenant and user. */
  readonly key: DeepReadonly<ApiKeyRecord>;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The parsed JSON body. Read other bodies from `incoming`. */
  readonly body: Body;
  /** The origin of the request URL, such as `http://127.0.0.1:4010`. */
  readonly origin: string;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** A reply: an object becomes JSON, undefined an empty body. */
export type Reply = object | Download | Redirect | undefined;

/** Handles an operation: returns the reply of a success, or throws an {@link ApiError}. */
export type Handler<Query = never, Body = never> = (
  request: ApiRequest<Query, Body>,
) => Promise<Reply>;
