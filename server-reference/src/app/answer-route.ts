import type { RouterMiddleware } from '@koa/router';

import { answerJson } from './answer-json.ts';
import type { ApiRequest, Handler } from './handler.ts';
import type { ValidatedState } from './validate-request.ts';

/** Puts the answer of a handler into the response. */
export function answerRoute(handler: Handler): RouterMiddleware<ValidatedState> {
  return async function route(ctx) {
    const { key, query, body } = ctx.state;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schemas vouch for these types
    const request = { key, path: ctx.params, query, body } as ApiRequest<never, never>;
    answerJson(ctx, await handler(request));
  };
}
