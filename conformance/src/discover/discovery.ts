import type { World } from '../clients/control-client.ts';
import type { Facts } from '../options/facts.ts';

/** Whom the target takes the main key for, from `GET /v1/auth/check`. */
export interface Identity {
  readonly tenantId: string;
  readonly tenantSlug: string;
  readonly userId: string;
  readonly keyId: string;
  readonly scope: readonly string[];
  readonly wildcardGranted: boolean;
}

/** What reaching the API gave. */
export interface ReachedApi {
  /** Null when the answer was not an identity. */
  readonly identity: Identity | null;
  /** Why the main key is of no use, or null. */
  readonly keyProblem: string | null;
  /** Target's clock minus ours, from the Date header, to the second; null without one. */
  readonly clockOffsetMilliseconds: number | null;
}

/** What reaching the control interface gave. */
export interface ReachedControl {
  readonly world: World | null;
  readonly clockMode: 'real' | 'virtual' | null;
  /** Why the control interface is of no use, or null. */
  readonly problem: string | null;
}

/** What reaching the receiver gave. */
export interface ReachedReceiver {
  readonly clockOffsetMilliseconds: number | null;
}

/** Everything that a run knows before its first check. Null: that part was not given. */
export interface Discovery {
  readonly facts: Facts;
  readonly api: ReachedApi | null;
  readonly control: ReachedControl | null;
  readonly receiver: ReachedReceiver | null;
}
