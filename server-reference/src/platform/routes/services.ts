import type { IncomingMessage, ServerResponse } from 'node:http';

import type { RequestLimits } from '../access/rate-limit.ts';
import type { Clock } from '../clock/clock.ts';
import type { FormReader } from '../http/read-form.ts';
import type { UploadTransport } from '../files/upload-session.ts';
import type { Download, JsonReply, Redirect } from '../http/response.ts';
import type { RunWaits } from '../runs/run-waits.ts';
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
  /** How new uploads are sent: a size in bytes is the largest that is sent as a form. */
  readonly uploadTransport: UploadTransport;
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
  readonly runWaits: RunWaits;
  readonly limits: RequestLimits;
  /** The ports of this server. */
  readonly ownPorts: ReadonlySet<number>;
  readonly settings: Settings;
}

/**
 * A request that has passed authentication, scope and validation. `Body` is the type of a JSON body, and
 * `Texts` that of the text parts of a form.
 */
export interface ApiRequest<Query = unknown, Body = unknown, Texts = unknown> {
  /** The calling key, with its tenant and user. */
  readonly key: DeepReadonly<ApiKeyRecord>;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The parsed JSON body. Undefined if the operation has none, or if the body is a form. */
  readonly body: Body;
  /** Reads the form, once; see {@link FormReader}. Null if the body is not a form. */
  readonly form: FormReader<Texts> | null;
  /** The origin of the request URL, such as `http://127.0.0.1:4010`. */
  readonly origin: string;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** A reply: an object becomes JSON, undefined an empty body. */
export type Reply = object | Download | JsonReply | Redirect | undefined;

/** Handles an operation: returns the reply of a success, or throws an {@link ApiError}. */
export type Handler<Query = never, Body = never, Texts = never> = (
  request: ApiRequest<Query, Body, Texts>,
) => Promise<Reply>;

/** Loads the handler of an operation. */
export type LoadHandler = () => Promise<Handler>;
