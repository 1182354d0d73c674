import type { Middleware } from 'koa';

import { ApiError, ROOT, refusal } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { isWriteFailure } from '../store/store.ts';
import type { RequestState } from './request.ts';
import { respondJson } from './response.ts';

/** Catches every error of a request and writes the error response. Only this middleware does so. */
export function respondErrors(logger: Logger): Middleware<RequestState> {
  return async function errors(ctx, next) {
    try {
      await next();
    } catch (error) {
      const { requestId } = ctx.state;
      const failure = error instanceof ApiError ? error : serverError(error);
      // A regular response, such as a rate limit or an injected fault, is not logged.
      if (failure !== error) logger.error(`${ctx.method} ${ctx.path} failed (${requestId})`, error);
      ctx.state.failure = failure;
      ctx.status = failure.status;
      ctx.set(failure.details.headers ?? {});
      respondJson(ctx, failure.envelope(requestId));
    }
  };
}

/** The response contains no internal details. */
function serverError(error: unknown): ApiError {
  const message = 'the server failed to process this request; see its log';
  const hint = isWriteFailure(error)
    ? 'The data folder cannot be written. The change is in memory, and may be in the next write.'
    : undefined;
  return refusal('internal_error', ROOT, message, { hint });
}
