import type { Middleware } from 'koa';

import type { Clock } from '../../clock/clock.ts';
import { ROOT, refusal } from '../../errors.ts';
import type { ApiError } from '../../errors.ts';
import { bearerToken } from '../../http/request.ts';
import type { RequestState } from '../../http/request.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { Store } from '../../store/store.ts';
import type { ApiKeyRecord } from '../../store/tenants.ts';

/** The state of a request whose API key is valid. */
export interface AuthenticatedState extends RequestState {
  /** The calling key. It belongs to a tenant and a user. */
  key: DeepReadonly<ApiKeyRecord>;
  /** Throws 401 if the key is no longer valid. Call it when something was awaited since the key was found. */
  checkKey: () => void;
}

/** Finds the API key of the request. Responds 401 if it is missing, unknown or revoked. */
export function authenticate(store: Store, clock: Clock): Middleware<AuthenticatedState> {
  return function authentication(ctx, next) {
    const find = (): DeepReadonly<ApiKeyRecord> =>
      findKey(store, clock, ctx.req.headersDistinct['authorization'] ?? []);
    ctx.state.key = find();
    ctx.state.checkKey = () => void find();
    return next();
  };
}

function findKey(
  store: Store,
  clock: Clock,
  headers: readonly string[],
): DeepReadonly<ApiKeyRecord> {
  const [header] = headers;
  if (header === undefined) throw unauthorized('the request has no API key');
  if (headers.length > 1) throw unauthorized('the request has more than one Authorization header');
  const token = bearerToken(header);
  if (token === undefined)
    throw unauthorized('the Authorization header must have the form Bearer <API_KEY>');
  const key = store.state.apiKeys.get(token);
  if (key === undefined || isRevoked(key, clock)) throw unauthorized('the API key is not valid');
  return key;
}

function isRevoked({ revokedAt }: DeepReadonly<ApiKeyRecord>, clock: Clock): boolean {
  return revokedAt !== null && Date.parse(revokedAt) <= clock.now();
}

function unauthorized(message: string): ApiError {
  return refusal('unauthorized', ROOT, message, {
    hint: 'Send one header Authorization: Bearer <API_KEY>.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/** The scopes of API keys. No operation of this server requires `ocr:full`. */
export const SCOPES = [
  'dataset_review:read',
  'dataset_review:write',
  'workflow:read',
  'workflow:write',
  'run:write',
  'run_review:write',
  'file:read',
  'file:write',
  'ocr:full',
] as const;

/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];

/** Restricts a key to OCR operations, which this server does not have. */
const OCR_ONLY: Scope = 'ocr:full';

/** What an operation requires of a key: any valid key, or a scope. */
type Requirement = 'any key' | Exclude<Scope, 'ocr:full'>;

/** Scopes by operationId. */
export type Requirements = Readonly<Record<string, Requirement>>;

/**
 * Responds 403 if the key does not have what an operation requires. A wildcard key may call every operation. A key
 * with `ocr:full` may call only `checkAuth`, even if it has other scopes.
 */
export function requireScope(requirement: Requirement): Middleware<AuthenticatedState> {
  return function scope(ctx, next) {
    const { wildcardGranted, scope: granted } = ctx.state.key;
    if (!wildcardGranted && requirement !== 'any key' && !opens(granted, requirement)) {
      const message = granted.includes(OCR_ONLY)
        ? `the scope ${OCR_ONLY} restricts the API key to OCR`
        : `the API key lacks the scope ${requirement}`;
      throw refusal('forbidden', ROOT, message, {
        hint: 'GET /v1/auth/check shows the scopes of a key.',
      });
    }
    return next();
  };
}

function opens(granted: readonly string[], requirement: Requirement): boolean {
  return granted.includes(requirement) && !granted.includes(OCR_ONLY);
}
