import type { Middleware } from 'koa';

import { ApiError, ROOT, refusal } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { isFull, isWriteFailure, StoreError } from '../store/store.ts';
import type { RequestState } from './request.ts';
import { respondJson } from './response.ts';

/** Catches every error of a request and writes the error response. Only this middleware does so. */
export function respondErrors(logger: Logger): Middleware<RequestState> {
  return async function errors(ctx, next) {
    try {
      await next();
    } catch (error) {
      const { requestId } = ctx.state;
      const failure = error instanceof ApiError ? error : asServerError(error);
      // A regular response, such as a rate limit or an injected fault, is not logged.
      if (failure !== error && !isFull(error))
        logger.error(`${ctx.method} ${ctx.path} failed (${requestId})`, error);
      ctx.state.failure = failure;
      ctx.status = failure.status;
      ctx.set(failure.details.headers ?? {});
      respondJson(ctx, failure.envelope(requestId));
    }
  };
}

/** The response contains no internal details. */
function asServerError(error: unknown): ApiError {
  if (isFull(error)) {
    return refusal('storage_full', ROOT, 'the server has no room for more', {
      hint: 'Delete worlds, files or dataset examples, or start the server with a smaller historyLimit. A restart empties a server in memory.',
      headers: { 'Retry-After': '1' },
    });
  }
  // A damaged file stays damaged.
  if (error instanceof StoreError && error.code !== 'store_corrupt') {
    const rest = isWriteFailure(error)
      ? 'The change is in memory, and is stored with the next one.'
      : 'Nothing of this request is stored. Send it again.';
    return refusal('storage_failed', ROOT, 'the change could not be stored', {
      hint: `The server cannot write to its data folder; see its log. ${rest}`,
      headers: { 'Retry-After': '1' },
    });
  }
  return refusal('internal_error', ROOT, 'the server failed to process this request; see its log');
}
