/** A part of a form: a text, or a file with its name. */
export type FormPart =
  | { readonly name: string; readonly text: string }
  | {
      readonly name: string;
      readonly filename: string;
      readonly type: string;
      readonly bytes: Buffer;
    };

/** A successful JSON response. */
export interface Reply {
  readonly status: number;
  // The tests compare what they read with the tables of the client.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** Downloaded bytes with their media type. */
export interface Download {
  readonly type: string;
  readonly bytes: Buffer;
}

/**
 * What a download is, which decides the media types that a client takes. `stored` is a corrected file, or a
 * file of an example.
 */
export type DownloadKind = 'file' | 'artifact' | 'stored' | 'archive' | 'export';

/** The operations of a client, as a user of it sees them. */
export interface StandIn {
  /** Calls an operation whose response is JSON, or has no body. */
  call(method: string, path: string, json?: unknown): Promise<Reply>;
  sendForm(path: string, parts: readonly FormPart[]): Promise<Reply>;
  /** Sends bytes to a signed address, without the key. Returns the status. */
  put(url: string, headers: Readonly<Record<string, string>>, bytes: Buffer): Promise<number>;
  download(path: string, kind: DownloadKind): Promise<Download>;
  /** Writes a path of several segments into the path of an operation. */
  writePath(path: string): string;
  /** Reads a run every two seconds until it has ended, for at most five minutes. */
  readUntilFinished(runId: string): Promise<Reply>;
}

/** What the user of a client gives it. */
export interface StandInOptions {
  /** With `/v1` or `/api/v1`. */
  readonly address: string;
  readonly key: string;
  /** Waits on the clock of the server. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** An error response, as a client throws it. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';

  readonly status: number;
  readonly field: string | undefined;
  readonly requestId: string | undefined;

  constructor(
    status: number,
    message: string,
    {
      field,
      requestId,
    }: { readonly field: string | undefined; readonly requestId: string | undefined },
  ) {
    super(message);
    this.status = status;
    this.field = field;
    this.requestId = requestId;
  }
}

/** A successful response that the client cannot use. */
export class UnusableResponse extends Error {
  override readonly name = 'UnusableResponse';
}
