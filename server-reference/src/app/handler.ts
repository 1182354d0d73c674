import type { Clock } from '../clock/clock.ts';
import type { ApiKeyRecord } from '../state/tenant.ts';
import type { Store } from '../store/store.ts';

/** What the routes work with. */
export interface Services {
  readonly store: Store;
  readonly clock: Clock;
}

/** A request that has passed authentication, scope and validation. */
export interface ApiRequest<Query = unknown, Body = unknown> {
  /** The calling key: whose tenant is asked about, and who acts. */
  readonly key: ApiKeyRecord;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
}

/** Answers an operation with the body of a 200, or throws an {@link ApiError}. */
export type Handler<Query = never, Body = never> = (
  request: ApiRequest<Query, Body>,
) => Promise<object>;
