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

/** What the owner of the server has decided. */
export interface Settings {
  /** The most bytes of a JSON body. */
  readonly bodyLimitBytes: number;
  /** The most bytes of one uploaded file. */
  readonly uploadLimitBytes: number;
  /** Downloads and exports above so many bytes are redirected to storage; null: none is. */
  readonly redirectAboveBytes: number | null;
  /** How long a signed address of the storage is good for. */
  readonly signedUrlSeconds: number;
}

/** What the routes work with. */
export interface Services {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly sender: Sender;
  readonly runWorker: RunWorker;
  readonly limits: RequestLimits;
  /** Where the server itself listens. */
  readonly ownPorts: ReadonlySet<number>;
  readonly settings: Settings;
}

/** A request that has passed authentication, scope and validation. */
export interface ApiRequest<Query = unknown, Body = unknown> {
  /** The calling key: whose tenant is asked about, and who acts. */
  readonly key: DeepReadonly<ApiKeyRecord>;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  /** Of JSON; a body of another kind is read from `incoming`. */
  readonly body: Body;
  /** The address that was called, such as `http://127.0.0.1:4010`, without a trailing slash. */
  readonly origin: string;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** An object is answered as JSON, nothing with an empty body. */
export type Reply = object | Download | Redirect | undefined;

/** Answers an operation with its success, or throws an {@link ApiError}. */
export type Handler<Query = never, Body = never> = (
  request: ApiRequest<Query, Body>,
) => Promise<Reply>;
