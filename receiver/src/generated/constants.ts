// Generated from spec/src/index.ts by `npm run generate`. Do not edit.

/** The current `apiVersion` of events. */
export const API_VERSION = "2026-07-01";

/** Prefix of every event ID. */
export const EVENT_ID_PREFIX = "whev_";

/** Prefix of every endpoint secret. */
export const SECRET_PREFIX = "whsec_";

/** Prefix of the hex digest in the signature header. */
export const SIGNATURE_PREFIX = "v1,";

/** Names of the three signature headers. */
export const SIGNATURE_HEADERS = {
  "id": "webhook-id",
  "timestamp": "webhook-timestamp",
  "signature": "webhook-signature"
} as const;

/** Maximum difference between `webhook-timestamp` and the receiver's clock, in seconds. */
export const TIMESTAMP_TOLERANCE_SECONDS = 300;

/** Every status of a run, in the usual order. */
export const RUN_STATUSES = [
  "created",
  "pending",
  "running",
  "waiting",
  "finalizing",
  "completed",
  "failed",
  "cancelled",
  "rejected"
] as const;

/** The terminal run statuses. */
export const TERMINAL_RUN_STATUSES = [
  "completed",
  "failed",
  "cancelled",
  "rejected"
] as const;

/** One of the four terminal run statuses. */
export type TerminalRunStatus = (typeof TERMINAL_RUN_STATUSES)[number];
