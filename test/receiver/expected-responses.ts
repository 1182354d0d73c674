import type { ResponseCode } from '@hookproof/receiver';

interface ExpectedResponse {
  readonly status: number;
  /** Whether the same event, sent once more, could be accepted. */
  readonly canRetrySave: boolean;
  /** Whether the signature was verified before this response. */
  readonly isVerified: boolean;
}

const row = (status: number, canRetrySave: boolean, isVerified: boolean): ExpectedResponse => ({
  status,
  canRetrySave,
  isVerified,
});

/** The whole table a second time, so that a change of a response is deliberate. */
export const EXPECTED_RESPONSES: Readonly<Record<ResponseCode, ExpectedResponse>> = {
  accepted: row(202, false, true),
  duplicate: row(200, false, true),
  event_id_conflict: row(409, false, true),
  method_not_allowed: row(405, false, false),
  content_type_unsupported: row(415, false, false),
  body_too_large: row(413, false, false),
  body_stalled: row(408, true, false),
  body_aborted: row(408, true, false),
  body_already_read: row(500, true, false),
  body_not_bytes: row(500, true, false),
  request_unexpected: row(500, true, false),
  overloaded: row(503, true, false),
  not_started: row(503, true, false),
  closing: row(503, true, false),
  store_unavailable: row(503, true, true),
  secret_rotating: row(503, true, false),
  secrets_unavailable: row(503, true, false),
  receiver_failed: row(500, true, false),
  header_missing: row(401, false, false),
  header_repeated: row(401, false, false),
  id_malformed: row(401, false, false),
  timestamp_malformed: row(401, false, false),
  signature_malformed: row(401, false, false),
  signature_mismatch: row(401, false, false),
  timestamp_too_old: row(425, true, true),
  timestamp_too_new: row(425, true, true),
};
