import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';

import type { Download } from '../app/reply.ts';

/** A request whose address was checked: it is whole, and of this server, and not expired. */
export interface StorageRequest {
  readonly path: Readonly<Record<string, string>>;
  /** With `expires` and `signature`. */
  readonly query: Readonly<ParsedUrlQuery>;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** What a signed address leads to. */
export interface StorageRoute {
  /** `GET` takes HEAD as well. */
  readonly method: 'GET' | 'PUT';
  /** Below the prefix of the storage, for example `/files/:fileId`. */
  readonly path: string;
  /** A download, or nothing, which is answered with 204. Throws an {@link ApiError}. */
  handle(request: StorageRequest): Promise<Download | undefined>;
}
