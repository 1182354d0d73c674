/** A known mistake: its stable name, what shows it, and how to fix it. */
export interface Mistake {
  /** Which mistake it is, stable between releases. */
  readonly cause: ExplanationCause;
  /** What was tried and fits, without a secret, a digest or a part of the body. */
  readonly evidence: string;
  /** What to do about it. */
  readonly fix: string;
}

/**
 * Why a delivery fails. The groups, in the order in which they are tried:
 *
 * - the headers: missing, repeated, joined or in another form;
 * - the key: another secret, another encoding, or a secret with something around it;
 * - the signed message: its parts in another order, form or number;
 * - the body: changed between the sender and the verification;
 * - the time, and the event itself; both concern authentic bytes.
 */
export type ExplanationCause =
  | 'header_missing'
  | 'header_repeated'
  | 'header_of_other_sender'
  | 'headers_joined'
  | 'headers_swapped'
  | 'id_malformed'
  | 'timestamp_in_milliseconds'
  | 'timestamp_not_unix_seconds'
  | 'signature_prefix_missing'
  | 'signature_in_base64'
  | 'signature_in_hex'
  | 'signature_list'
  | 'signature_upper_case'
  | 'signature_malformed'
  | 'other_secret'
  | 'secret_of_other_kind'
  | 'key_without_prefix'
  | 'key_from_base64'
  | 'key_from_hex'
  | 'key_from_utf8'
  | 'key_empty'
  | 'secret_without_prefix'
  | 'secret_with_newline'
  | 'secret_with_space'
  | 'secret_with_quotes'
  | 'message_parts_swapped'
  | 'message_without_id'
  | 'message_without_timestamp'
  | 'message_is_body_alone'
  | 'message_other_separator'
  | 'message_in_milliseconds'
  | 'message_other_time'
  | 'message_without_body'
  | 'body_reserialized'
  | 'body_pretty_printed'
  | 'body_keys_sorted'
  | 'body_escapes_changed'
  | 'body_trimmed'
  | 'body_newline_added'
  | 'body_line_endings'
  | 'body_byte_order_mark'
  | 'body_decoded'
  | 'body_compressed'
  | 'body_in_base64'
  | 'body_as_json_string'
  | 'body_form_encoded'
  | 'body_length_changed'
  | 'body_empty'
  | 'clock_off'
  | 'event_invalid'
  | 'valid'
  | 'unknown';

/**
 * Writes an explanation as one line: `cause: evidence fix`.
 *
 * @example
 * ```ts
 * import { formatExplanation } from '@hookproof/receiver/explain';
 *
 * const evidence = 'The verified body has 0 bytes.';
 * console.log(formatExplanation({ cause: 'body_empty', evidence, fix: 'Read it first.' }));
 * // body_empty: The verified body has 0 bytes. Read it first.
 * ```
 */
export function formatExplanation({ cause, evidence, fix }: Mistake): string {
  return `${cause}: ${evidence} ${fix}`.trim();
}
