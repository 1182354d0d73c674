import type { VectorDefinition } from './definition.ts';
import { eventBody, eventBodyInLines } from './event-body.ts';

const BYTE_ORDER_MARK = '\ufeff';
/** More than one read of a socket, far below any likely limit. */
const MANY_SPACES = 65_536;

/** Bodies that are right, and that a receiver which does not verify the very bytes refuses. */
export const acceptedBodyVectors: readonly VectorDefinition[] = [
  accepted('pretty-printed', 'JSON over several lines.', ['Reserialised'], (id) =>
    eventBodyInLines(id, '\n'),
  ),
  accepted(
    'crlf',
    'JSON over several lines that end in CR LF.',
    ['Reserialised', 'LineBreaks'],
    (id) => eventBodyInLines(id, '\r\n'),
  ),
  accepted(
    'trailing-newline',
    'A line feed follows the JSON.',
    ['TrimmedBody'],
    (id) => `${eventBody(id)}\n`,
  ),
  accepted(
    'surrounding-blanks',
    'Blanks stand around the JSON.',
    ['TrimmedBody'],
    (id) => `  ${eventBody(id)}\t `,
  ),
  accepted('escapes', 'Characters are escaped that need not be.', ['Reserialised'], (id) =>
    eventBody(id)
      .replace('"api"', String.raw`"\u0061\u0070\u0069"`)
      .replace('"wf_', String.raw`"\u0077f_`),
  ),
  accepted('number-spelling', 'An extra number is written 1.0e2.', ['Reserialised'], (id) =>
    eventBody(id).replace('"test":', '"sequence":1.0e2,"test":'),
  ),
  accepted(
    'big-number',
    'An extra number has more digits than a double holds.',
    ['Reserialised'],
    (id) => eventBody(id).replace('"test":', '"sequence":12345678901234567890,"test":'),
  ),
  accepted('not-ascii', 'Text of two, three and four octets a character.', ['TextForBytes'], (id) =>
    eventBody(id, 'é € 😀'),
  ),
  accepted('escaped-nul', 'A NUL in a string, escaped as JSON wants it.', ['EarlyEnd'], (id) =>
    eventBody(id, 'a\u0000b'),
  ),
  accepted('proto-key', 'An extra key is called __proto__.', ['PrototypeKey'], (id) =>
    eventBody(id).replace('"test":', '"__proto__":{"test":false},"test":'),
  ),
  {
    id: 'body-of-64-kib',
    comment: 'The JSON is followed by 65536 spaces.',
    flags: ['LargeBody', 'TrimmedBody'],
    body: { bytes: eventBody('whev_body-of-64-kib'), trailingSpaces: MANY_SPACES },
  },
];

/** Bodies changed after signing, most of them so that they read the same as before. */
export const changedBodyVectors: readonly VectorDefinition[] = [
  changed('bit-flipped', 'One bit differs: apj for api.', ['PartNotSigned'], (id) => [
    eventBody(id),
    eventBody(id, 'apj'),
  ]),
  changed('cleared', 'The body is gone.', ['EmptyPart'], (id) => [eventBody(id), '']),
  changed('appended', 'A blank was added at the end.', ['TrimmedBody'], (id) => [
    eventBody(id),
    `${eventBody(id)} `,
  ]),
  changed(
    'newline-added',
    'A line feed was added at the end.',
    ['TrimmedBody', 'LineBreaks'],
    (id) => [eventBody(id), `${eventBody(id)}\n`],
  ),
  changed(
    'newline-removed',
    'The line feed at the end is gone.',
    ['TrimmedBody', 'LineBreaks'],
    (id) => [`${eventBody(id)}\n`, eventBody(id)],
  ),
  changed('lf-to-crlf', 'Line feeds became CR LF.', ['LineBreaks', 'Reserialised'], (id) => [
    eventBodyInLines(id, '\n'),
    eventBodyInLines(id, '\r\n'),
  ]),
  changed('crlf-to-lf', 'CR LF became line feeds.', ['LineBreaks', 'Reserialised'], (id) => [
    eventBodyInLines(id, '\r\n'),
    eventBodyInLines(id, '\n'),
  ]),
  changed(
    'reserialised',
    'Parsed and written again without its blanks.',
    ['Reserialised'],
    (id) => [eventBodyInLines(id, '\n'), eventBody(id)],
  ),
  changed('key-order', 'Two keys changed places.', ['Reserialised'], (id) => {
    const text = eventBody(id);
    return [
      text,
      text.replace('"startedAt":null,"completedAt":null', '"completedAt":null,"startedAt":null'),
    ];
  }),
  changed('unescaped', 'An escape became the character that it means.', ['Reserialised'], (id) => [
    eventBody(id, '?').replace('?', String.raw`\u00e9`),
    eventBody(id, 'é'),
  ]),
  changed('number-respelled', 'The number 1.0 became 1.', ['Reserialised'], (id) => {
    const text = eventBody(id);
    return [text.replace('"test":', '"n":1.0,"test":'), text.replace('"test":', '"n":1,"test":')];
  }),
  changed(
    'byte-order-mark-added',
    'A byte order mark was put in front.',
    ['ByteOrderMark'],
    (id) => [eventBody(id), BYTE_ORDER_MARK + eventBody(id)],
  ),
  changed(
    'byte-order-mark-removed',
    'The byte order mark in front is gone.',
    ['ByteOrderMark'],
    (id) => [BYTE_ORDER_MARK + eventBody(id), eventBody(id)],
  ),
  changed('cut-at-nul', 'Everything from a NUL on is gone.', ['EarlyEnd'], (id) => [
    `${eventBody(id)}\u0000rest`,
    eventBody(id),
  ]),
  changed('added-after-nul', 'A NUL and more were added.', ['EarlyEnd'], (id) => [
    eventBody(id),
    `${eventBody(id)}\u0000rest`,
  ]),
  changed('other-charset', 'The text was written again in Latin-1.', ['TextForBytes'], (id) => [
    eventBody(id, 'é'),
    Buffer.from(eventBody(id, 'é'), 'latin1'),
  ]),
  changed(
    'decomposed',
    'A letter with an accent became letter and accent.',
    ['TextForBytes'],
    (id) => [eventBody(id, '\u00e9'), eventBody(id, 'e\u0301')],
  ),
  changed(
    'replacement-character',
    'Replacement characters (U+FFFD) became octets that are no UTF-8: as text both read the same.',
    ['TextForBytes'],
    (id) => [eventBody(id, '\ufffd'), withOctets(id, [0xff])],
  ),
  changed(
    'invalid-octet-exchanged',
    'An octet that is no UTF-8 became another one: as text both read the same.',
    ['TextForBytes'],
    (id) => [withOctets(id, [0xfe]), withOctets(id, [0xff])],
  ),
  {
    id: 'body-of-64-kib-shortened',
    comment: 'The last of the 65536 spaces after the JSON is gone.',
    flags: ['LargeBody', 'TrimmedBody'],
    code: 'signature_mismatch',
    body: { bytes: eventBody('whev_body-of-64-kib-shortened'), trailingSpaces: MANY_SPACES - 1 },
    signedBody: { bytes: eventBody('whev_body-of-64-kib-shortened'), trailingSpaces: MANY_SPACES },
  },
];

/** Authentic bytes that are no event, found once the signature has been accepted. */
export const envelopeVectors: readonly VectorDefinition[] = [
  notAnEvent(
    'empty',
    'body_not_json',
    'No body at all; the message ends with a dot.',
    ['EmptyPart'],
    () => '',
  ),
  notAnEvent('plain-text', 'body_not_json', 'ASCII text, no JSON.', ['NotAnEvent'], () => 'hello'),
  notAnEvent('cut-off', 'body_not_json', 'JSON that ends too early.', ['NotAnEvent'], (id) =>
    eventBody(id).slice(0, -1),
  ),
  notAnEvent(
    'byte-order-mark',
    'body_not_json',
    'A byte order mark stands before the JSON.',
    ['ByteOrderMark'],
    (id) => BYTE_ORDER_MARK + eventBody(id),
  ),
  notAnEvent('raw-nul', 'body_not_json', 'A NUL in a string, not escaped.', ['EarlyEnd'], (id) =>
    eventBody(id, '?').replace('?', '\u0000'),
  ),
  notAnEvent(
    'invalid-octet',
    'body_not_utf8',
    'The octet 0xff in a string.',
    ['TextForBytes'],
    (id) => withOctets(id, [0xff]),
  ),
  notAnEvent(
    'overlong-utf8',
    'body_not_utf8',
    'A slash in an overlong form of two octets.',
    ['TextForBytes'],
    (id) => withOctets(id, [0xc0, 0xaf]),
  ),
  notAnEvent(
    'surrogate-in-utf8',
    'body_not_utf8',
    'Half of a surrogate pair written as three octets.',
    ['TextForBytes'],
    (id) => withOctets(id, [0xed, 0xa0, 0x80]),
  ),
  notAnEvent(
    'utf16',
    'body_not_utf8',
    'The JSON in UTF-16 with its byte order mark.',
    ['TextForBytes', 'ByteOrderMark'],
    (id) => Buffer.from(BYTE_ORDER_MARK + eventBody(id), 'utf16le'),
  ),
  notAnEvent('json-null', 'event_invalid', 'The JSON value null.', ['NotAnEvent'], () => 'null'),
  notAnEvent(
    'json-array',
    'event_invalid',
    'An array that holds an event.',
    ['NotAnEvent'],
    (id) => `[${eventBody(id)}]`,
  ),
  notAnEvent(
    'empty-object',
    'event_invalid',
    'An object without any field.',
    ['NotAnEvent'],
    () => '{}',
  ),
  notAnEvent(
    'other-event-id',
    'event_id_mismatch',
    'The body names another event id than the header.',
    ['IdNotCompared'],
    () => eventBody('whev_other'),
  ),
  {
    ...notAnEvent(
      'id-extended-in-header',
      'event_id_mismatch',
      'The header id is the body id and ".0" after it.',
      ['IdNotCompared', 'DotInId'],
      () => eventBody('whev_body-id'),
    ),
    eventId: 'whev_body-id.0',
  },
  {
    id: 'body-id-twice',
    comment:
      'The body has the key id twice, first with another id. JSON parsers differ on which one counts.',
    flags: ['DuplicateKey'],
    envelope: 'freedom',
    body: { bytes: eventBody('whev_body-id-twice').replace('{', '{"id":"whev_other",') },
  },
];

function accepted(
  name: string,
  comment: string,
  flags: readonly string[],
  body: (eventId: string) => string,
): VectorDefinition {
  return { id: `body-${name}`, comment, flags, body: { bytes: body(`whev_body-${name}`) } };
}

function changed(
  name: string,
  comment: string,
  flags: readonly string[],
  bodies: (
    eventId: string,
  ) =>
    | readonly [signed: string, sent: string | Uint8Array]
    | readonly [signed: Uint8Array, sent: Uint8Array],
): VectorDefinition {
  const id = `body-${name}`;
  const [signed, sent] = bodies(`whev_${id}`);
  return {
    id,
    comment,
    flags,
    code: 'signature_mismatch',
    body: { bytes: sent },
    signedBody: { bytes: signed },
  };
}

function notAnEvent(
  name: string,
  code: string,
  comment: string,
  flags: readonly string[],
  body: (eventId: string) => string | Uint8Array,
): VectorDefinition {
  const id = `envelope-${name}`;
  return { id, comment, flags, envelope: 'invalid', code, body: { bytes: body(`whev_${id}`) } };
}

/** A right body, but for these octets in a string. */
function withOctets(eventId: string, octets: readonly number[]): Uint8Array {
  const [before = '', after = ''] = eventBody(eventId, '?').split('?');
  return Buffer.concat([Buffer.from(before), Buffer.from(octets), Buffer.from(after)]);
}
