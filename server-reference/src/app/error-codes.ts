/** Every machine-readable code that an error envelope of this server may carry, and its meaning. */
export const ERROR_CODES = {
  unauthorized: 'No valid key came with the request (401).',
  forbidden: 'The key is valid but lacks the scope (403).',
  invalid_value: 'A parameter or a body field has a value that it must not have (400).',
  malformed_json: 'The body is not JSON in UTF-8 (400).',
  unsupported_media_type: 'The body is not declared as plain application/json (400).',
  malformed_request: 'The request is not well-formed HTTP, or arrived too slowly (400).',
  agent_not_movable: 'Agents have no folders, so they cannot be moved (400).',
  not_found: 'There is no such resource for this key, or no such operation (404).',
  method_not_allowed: 'The path exists, but not with this method (405, with `Allow`).',
  timed_out: 'What was waited for did not come in time (408, control interface only).',
  workflow_name_conflict: 'Another workflow in the target folder has the name (409).',
  review_closed: 'A closed review request accepts no more changes (409).',
  invalid_transition:
    'The run cannot move to this status from its present one (409, control interface only).',
  endpoint_not_active:
    'The webhook endpoint is disabled or deleted, so nothing is sent to it (409, control interface only).',
  clock_not_virtual: 'The clock is real, so it cannot be advanced (409, control interface only).',
  payload_too_large: 'The body is larger than the server accepts (413).',
  internal_error: 'The server failed; its log tells more (500).',
  storage_failed: 'The change could not be made durable, so it is not acknowledged (500).',
} as const;

/** One of {@link ERROR_CODES}. */
export type ErrorCode = keyof typeof ERROR_CODES;
