import type { Middleware } from 'koa';

import type { Clock } from '../clock/clock.ts';
import type { ApiKeyRecord } from '../state/tenant.ts';
import { find } from '../store/find.ts';
import type { Store } from '../store/store.ts';
import { ApiError, ROOT, issue } from './api-error.ts';
import type { RequestState } from './request-id.ts';

/** What is known once the key is. */
export interface AuthenticatedState extends RequestState {
  /** The calling key; it stands for a tenant and a user. */
  key: ApiKeyRecord;
}

const BEARER = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/** Finds the API key of the request; without a valid one, 401. A revoked key is like an unknown one. */
export function authenticate(store: Store, clock: Clock): Middleware<AuthenticatedState> {
  return async function authentication(ctx, next) {
    ctx.state.key = findKey(store, clock, ctx.req.headersDistinct['authorization'] ?? []);
    await next();
  };
}

function findKey(store: Store, clock: Clock, headers: readonly string[]): ApiKeyRecord {
  const [header] = headers;
  if (header === undefined) throw unauthorized('no API key came with the request');
  if (headers.length > 1)
    throw unauthorized('more than one Authorization header came with the request');
  const token = BEARER.exec(header)?.[1];
  if (token === undefined)
    throw unauthorized('the Authorization header is not of the form Bearer <API_KEY>');
  const key = find(store.state.apiKeys, token);
  if (key === undefined || isRevoked(key, clock)) throw unauthorized('the API key is not valid');
  return key;
}

function isRevoked({ revokedAt }: ApiKeyRecord, clock: Clock): boolean {
  return revokedAt !== null && Date.parse(revokedAt) <= clock.now();
}

function unauthorized(message: string): ApiError {
  return new ApiError(401, [issue('unauthorized', ROOT, message)], {
    hint: 'Send the header Authorization: Bearer <API_KEY>, once.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
