import { countRequest } from './count-request.ts';
import type { RateLimit, RequestWindow } from './count-request.ts';

/** Whether requests can be counted; while they cannot, none is processed. */
export type Accounting = 'available' | 'unavailable';

/** What holds for every key. */
export interface LimitSettings {
  /** Null: as many requests as they like. */
  readonly rateLimit: RateLimit | null;
  readonly accounting: Accounting;
}

/** The limits of a server, and what is left of them for each key. */
export interface RequestLimits {
  readonly settings: LimitSettings;
  /** Changes what is named. A `rateLimit` that is named, also the same one, begins all counts anew. */
  change(settings: Partial<LimitSettings>): void;
  /**
   * Counts a request of a key at `now`, in milliseconds.
   *
   * @returns null to let it through, else the whole seconds after which the next one is let through
   */
  take(keyId: string, now: number): number | null;
}

/** Keeps counts in memory, one window for each key. */
export function createRequestLimits(rateLimit: RateLimit | null): RequestLimits {
  let settings: LimitSettings = { rateLimit, accounting: 'available' };
  const windows = new Map<string, RequestWindow>();
  return {
    get settings() {
      return settings;
    },
    change(changed) {
      settings = { ...settings, ...changed };
      if (changed.rateLimit !== undefined) windows.clear();
    },
    take(keyId, now) {
      if (settings.rateLimit === null) return null;
      const counted = countRequest(windows.get(keyId), settings.rateLimit, now);
      windows.set(keyId, counted.window);
      return counted.retryAfterSeconds;
    },
  };
}
