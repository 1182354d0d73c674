import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

import type { Middleware } from 'koa';

import type { AdmittedState } from '../../app.ts';
import type { Clock } from '../../clock/clock.ts';
import { ROOT, refusal } from '../../errors.ts';
import type { ApiError } from '../../errors.ts';
import type { RequestState } from '../../http/request.ts';
import type { ApiFaultPlan } from './api-fault-plan.ts';
import type { ApiFaultEffect } from './api-fault.ts';

/** Applies injected API faults after authentication and rate limit, before the route. */
export function applyApiFaults(
  faults: ApiFaultPlan,
  clock: Clock,
): Middleware<AdmittedState & CutState> {
  return async function apiFault(ctx, next) {
    const { key, requestId, operationId } = ctx.state;
    const { method, path } = ctx;
    const target = { operationId, key: key.key, tenantId: key.tenantId, method, path };
    const applied = faults.apply(target, requestId, clock.now());
    if (applied === null) return next();
    const { latencyMilliseconds, status, reset, truncateBody } = applied.effect;
    if (latencyMilliseconds !== undefined) {
      const waited = await hold(ctx.res, latencyMilliseconds, clock);
      if (!waited) return undefined;
    }
    if (reset) {
      ctx.respond = false;
      ctx.req.socket.resetAndDestroy();
      return undefined;
    }
    if (status !== undefined) throw injectedError(status, applied.effect, applied.faultId);
    if (truncateBody !== undefined) ctx.state.cutAfterBytes = truncateBody;
    return next();
  };
}

/** Waits until the time has passed or the client disconnects. Resolves to whether it is still connected. */
function hold(response: ServerResponse, milliseconds: number, clock: Clock): Promise<boolean> {
  if (response.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const gone = (): void => {
      clock.clearTimeout(timer);
      resolve(false);
    };
    const timer = clock.setTimeout(async () => {
      response.off('close', gone);
      resolve(true);
      // A virtual clock continues after the response.
      await once(response, 'close');
    }, milliseconds);
    response.once('close', gone);
  });
}

function injectedError(status: number, { retryAfter }: ApiFaultEffect, faultId: string): ApiError {
  const seconds = retryAfter ?? (status === 429 || status === 503 ? 1 : undefined);
  const message = `the API fault ${faultId} injected this response`;
  return refusal('injected_fault', ROOT, message, {
    status,
    headers: {
      ...(seconds === undefined ? {} : { 'Retry-After': String(seconds) }),
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    },
  });
}

/** The state that {@link applyApiFaults} passes to {@link cutResponses}. */
interface CutState extends RequestState {
  /** The number of body bytes to send before the connection is cut. */
  cutAfterBytes?: number;
}

/**
 * Truncates the response of a request with a `truncateBody` fault: its Content-Length is larger than the sent
 * body, and then the connection is closed. A response without a body is unchanged.
 */
export function cutResponses(): Middleware<CutState> {
  return async function cut(ctx, next) {
    await next();
    const { cutAfterBytes } = ctx.state;
    const body: unknown = ctx.body;
    if (cutAfterBytes === undefined || ctx.method === 'HEAD') return;
    if (typeof body !== 'string' && !Buffer.isBuffer(body) && !(body instanceof Readable)) return;
    ctx.respond = false;
    ctx.res.statusCode = ctx.status;
    ctx.set('Content-Length', String(Math.max(ctx.length ?? 0, cutAfterBytes + 1)));
    await sendSome(ctx.res, body, cutAfterBytes);
    ctx.res.destroy();
  };
}

async function sendSome(
  response: ServerResponse,
  body: string | Buffer | Readable,
  bytes: number,
): Promise<void> {
  response.flushHeaders();
  let left = bytes;
  for await (const chunk of body instanceof Readable ? body : [Buffer.from(body)]) {
    const part = Buffer.from(chunk).subarray(0, left);
    left -= part.length;
    if (part.length > 0) await written(response, part);
    if (left === 0 || response.destroyed) break;
  }
}

/** Resolves also when the client disconnects. */
function written(response: ServerResponse, part: Buffer): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', resolve);
    response.write(part, () => {
      response.off('close', resolve);
      resolve();
    });
  });
}
