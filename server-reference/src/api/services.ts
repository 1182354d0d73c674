import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Clock } from '../clock/clock.ts';
import type { Sender } from '../events/sender.ts';
import type { FormReader } from '../http/read-form.ts';
import type { Download, JsonResponse, Redirect } from '../http/response.ts';
import type { Blobs } from '../store/blobs.ts';
import type { RunId, TenantId } from '../store/ids.ts';
import type { DeepReadonly } from '../store/read-only.ts';
import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import type { ApiKeyRecord } from '../store/tenants.ts';
import type { RequestLimits } from './rate-limit.ts';

/** The configuration of the API. */
interface Settings {
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

/** The requests that wait for the end of a run. */
export interface RunWaits {
  /** Resolves when the run has ended or was deleted, after the timeout, or when the client disconnects. */
  wait(runId: RunId, timeoutMilliseconds: number, response: ServerResponse): Promise<void>;
}

/** The services of the routes. */
export interface Services {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly sender: Sender;
  readonly runWorker: {
    /** Receives each run whose change is durable. */
    take(run: DeepReadonly<RunRecord>): void;
    /** Receives the runs that are deleted. */
    forget(runIds: readonly RunId[]): void;
  };
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

/** What a handler returns: an object becomes JSON, undefined an empty body. */
type Result = object | Download | JsonResponse | Redirect | undefined;

/** Handles an operation: returns the result, or throws an error. */
export type Handler<Query = never, Body = never, Texts = never> = (
  request: ApiRequest<Query, Body, Texts>,
) => Promise<Result>;

/** The key and path of a request. */
export interface TenantRequest {
  readonly key: { readonly tenantId: TenantId };
  readonly path: Readonly<Record<string, string>>;
}

/** How uploads are sent. A number is the largest size in bytes that is sent as a form. */
export type UploadTransport = 'presigned-put' | 'multipart' | number;
