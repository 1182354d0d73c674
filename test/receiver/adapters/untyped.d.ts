declare module 'express4' {
  export { default } from 'express';
}

declare module 'koa-bodyparser' {
  import type { Middleware } from 'koa';

  export default function bodyParser(options?: {
    readonly enableTypes?: readonly string[];
  }): Middleware;
}
