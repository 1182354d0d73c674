import type { VectorDefinition } from './definition.ts';
import { statusChangedBody } from './event-body.ts';

/** Valid deliveries. A receiver with a bug refuses some of them. */
export const validVectors: readonly VectorDefinition[] = [
  {
    id: 'run-created',
    comment: 'A run.created event, signed now.',
    flags: [],
  },
  {
    id: 'run-status-changed',
    comment: 'A run.status_changed event, signed now.',
    flags: [],
    body: { bytes: statusChangedBody('whev_run-status-changed') },
  },
  {
    id: 'header-names-in-capitals',
    comment:
      'The header names are Webhook-Id and WEBHOOK-TIMESTAMP. Header names are case-insensitive.',
    flags: ['HeaderNameCase'],
    allHeaders: [
      ['Webhook-Id', 'whev_header-names-in-capitals'],
      ['WEBHOOK-TIMESTAMP', '{timestamp}'],
      ['webhook-Signature', 'v1,{digest}'],
    ],
  },
  {
    id: 'header-order-and-others',
    comment: 'The three headers are in another order, between custom headers of the endpoint.',
    flags: ['HeaderOrder'],
    allHeaders: [
      ['x-custom', 'first'],
      ['webhook-signature', 'v1,{digest}'],
      ['user-agent', 'vectors/1'],
      ['webhook-timestamp', '{timestamp}'],
      ['x-webhook-id', 'whev_other'],
      ['webhook-id', 'whev_header-order-and-others'],
      ['webhook-ids', 'whev_other'],
    ],
  },
  {
    id: 'id-with-dot',
    comment: 'The id contains a dot, which separates the parts of the signed message.',
    flags: ['DotInId'],
    basis: 'reading',
    eventId: 'whev_id.with.dot',
  },
  {
    id: 'dot-moved-to-body',
    comment:
      'Signed with the id whev_a.T, the timestamp 0 and the body {}. Sent with the id whev_a, the timestamp T and ' +
      'the body 0.{}. Both signed messages have the same bytes, so the signature is valid. The body is not JSON.',
    flags: ['DotInId'],
    envelope: 'invalid',
    code: 'body_not_json',
    eventId: 'whev_a.{timestamp}',
    timestamp: '0',
    headers: { id: 'whev_a', timestamp: '{timestamp}' },
    body: { bytes: '0.{}' },
    signedBody: { bytes: '{}' },
  },
  {
    id: 'dot-moved-from-body',
    comment:
      'Signed with a body that contains a dot. Sent with everything before that dot moved to the headers, so both ' +
      'signed messages have the same bytes. The timestamp is then not a number.',
    flags: ['DotInId'],
    code: 'timestamp_malformed',
    eventId: 'whev_dot',
    headers: { id: 'whev_dot.{timestamp}', timestamp: '{"credits":0' },
    body: { bytes: '5}' },
    signedBody: { bytes: '{"credits":0.5}' },
  },
  {
    id: 'id-with-punctuation',
    comment:
      'The id contains characters that are special in URLs, paths and patterns. The contract states no alphabet.',
    flags: ['OpenPoint'],
    result: 'freedom',
    envelope: 'freedom',
    eventId: "whev_/../%00?*[]{}()'$&;:=~",
  },
];
