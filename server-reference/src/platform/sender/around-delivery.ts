import { failed, unsent } from './attempt-result.ts';
import type { AttemptResult } from './attempt-result.ts';
import { post } from './post.ts';
import type { OutgoingRequest, Posting, PostOptions } from './post.ts';
import type { Target } from './target/target.ts';

/** A delivery as it leaves the sender. */
export interface SentDelivery {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The response to a delivery, as far as the sender heeds it. */
export interface DeliveryResponse {
  readonly status: number;
  /** The values of `Retry-After`, one for each header line. */
  readonly retryAfter: readonly string[];
  readonly body: string | null;
}

/**
 * Stands between the sender and the network. It may change the request and the response, send the request several
 * times or not at all. `send` rejects when there is no response.
 */
export type AroundDelivery = (
  request: SentDelivery,
  send: (request: SentDelivery) => Promise<DeliveryResponse>,
) => Promise<DeliveryResponse>;

/** Starts a POST through `around`. */
export function postAround(
  around: AroundDelivery,
  target: Target,
  { url, outgoing }: { readonly url: string; readonly outgoing: OutgoingRequest },
  options: PostOptions,
): Posting {
  const inProgress = new Set<Posting>();
  let cut: string | null = null;
  let last: SentDelivery | undefined;
  const send = async (request: SentDelivery): Promise<DeliveryResponse> => {
    if (cut !== null) throw new NoResponse(unsent(cut, 'the attempt is over'));
    last = request;
    const posting = post(target, { ...outgoing, ...request }, options);
    inProgress.add(posting);
    const result = await posting.result;
    inProgress.delete(posting);
    if (result.outcome.kind !== 'response') throw new NoResponse(result);
    const { retryAfter, responseBody } = result;
    return { status: result.outcome.status, retryAfter, body: responseBody };
  };
  const { headers, body } = outgoing;
  return {
    result: around({ url, headers, body }, send).then(responded, (error: unknown) => {
      if (error instanceof NoResponse) return error.result;
      return failed(error instanceof Error ? error : new Error(String(error)));
    }),
    sent: () => last,
    cutOff(error) {
      cut = error;
      for (const posting of inProgress) posting.cutOff(error);
    },
  };
}

/** A POST without a response. */
class NoResponse extends Error {
  override readonly name = 'NoResponse';
  readonly result: AttemptResult;

  constructor(result: AttemptResult) {
    super(result.detail ?? result.error ?? 'no response');
    this.result = result;
  }
}

function responded({ status, retryAfter, body }: DeliveryResponse): AttemptResult {
  const outcome = { kind: 'response', status } as const;
  return {
    outcome,
    error: null,
    detail: null,
    isSent: true,
    retryAfter,
    responseHeaders: null,
    responseBody: body,
  };
}
