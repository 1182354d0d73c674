import type { Middleware } from 'koa';

import type { Logger } from '../logger.ts';
import { StoreError } from '../store/store.ts';
import { ApiError, issue, ROOT } from './api-error.ts';
import type { RequestState } from './request.ts';
import { respondJson } from './response.ts';

/** The one exit of every error: nothing else in the server writes an envelope to a request. */
export function respondErrors(logger: Logger): Middleware<RequestState> {
  return async function errors(ctx, next) {
    try {
      await next();
    } catch (error) {
      const { requestId } = ctx.state;
      const answer = error instanceof ApiError ? error : asServerError(error);
      // What was thrown as an answer is no failure of the server: a limit, or a planted fault.
      if (!(error instanceof ApiError))
        logger.error(`${ctx.method} ${ctx.path} failed (${requestId})`, error);
      ctx.status = answer.status;
      ctx.set(answer.details.headers ?? {});
      respondJson(ctx, answer.envelope(requestId));
    }
  };
}

/** Tells the caller nothing of the inside. */
function asServerError(error: unknown): ApiError {
  if (error instanceof StoreError) {
    const message = 'the change could not be stored and counts as not made';
    return new ApiError(500, [issue('storage_failed', ROOT, message)], {
      hint: 'The server cannot write to its data folder; its log says why.',
    });
  }
  return new ApiError(500, [issue('internal_error', ROOT, 'the server failed on this request')]);
}
