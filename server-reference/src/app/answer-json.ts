import type { Context } from 'koa';

/** Answers with JSON. As text: to tell kinds of objects apart, Koa would have Node load all of `fetch`. */
export function answerJson(ctx: Pick<Context, 'set' | 'body'>, value: object): void {
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  ctx.body = JSON.stringify(value);
}
