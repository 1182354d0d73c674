import type { VectorDefinition } from './definition.ts';
import { eventBody, eventBodyInLines } from './event-body.ts';

const BYTE_ORDER_MARK = '\ufeff';
/** Larger than one read of a socket, and far below a likely size limit. */
const MANY_SPACES = 65_536;

/** Valid bodies that a receiver refuses if it does not verify the raw bytes. */
export const acceptedBodyVectors: readonly VectorDefinition[] = [
  accepted('pretty-printed', 'The JSON is formatted over several lines.', ['Reserialised'], (id) =>
    eventBodyInLines(id, '\n'),
  ),
  accepted(
    'crlf',
    'The JSON is formatted over several lines that end with CR LF.',
    ['Reserialised', 'LineBreaks'],
    (id) => eventBodyInLines(id, '\r\n'),
  ),
  accepted(
    'trailing-newline',
    'The JSON is followed by a line feed.',
    ['TrimmedBody'],
    (id) => `${eventBody(id)}\n`,
  ),
  accepted(
    'surrounding-blanks',
    'The JSON has blanks before and after it.',
    ['TrimmedBody'],
    (id) => `  ${eventBody(id)}\t `,
  ),
  accepted('escapes', 'The JSON contains unnecessary escapes.', ['Reserialised'], (id) =>
    eventBody(id)
      .replace('"api"', String.raw`"\u0061\u0070\u0069"`)
      .replace('"wf_', String.raw`"\u0077f_`),
  ),
  accepted('number-spelling', 'An additional field has the number 1.0e2.', ['Reserialised'], (id) =>
    eventBody(id).replace('"test":', '"sequence":1.0e2,"test":'),
  ),
  accepted(
    'big-number',
    'An additional field has a number with more digits than a double can represent.',
    ['Reserialised'],
    (id) => eventBody(id).replace('"test":', '"sequence":12345678901234567890,"test":'),
  ),
  accepted(
    'not-ascii',
    'The JSON contains characters of two, three and four octets.',
    ['TextForBytes'],
    (id) => eventBody(id, 'é € 😀'),
  ),
  accepted(
    'escaped-nul',
    'A string contains an escaped NUL, as JSON requires.',
    ['EarlyEnd'],
    (id) => eventBody(id, 'a\u0000b'),
  ),
  accepted('proto-key', 'An additional field is named __proto__.', ['PrototypeKey'], (id) =>
    eventBody(id).replace('"test":', '"__proto__":{"test":false},"test":'),
  ),
  {
    id: 'body-of-64-kib',
    comment: 'The JSON is followed by 65536 spaces.',
    flags: ['LargeBody', 'TrimmedBody'],
    body: { bytes: eventBody('whev_body-of-64-kib'), trailingSpaces: MANY_SPACES },
  },
];

/** Bodies that were changed after signing, most of them without a change of meaning. */
export const changedBodyVectors: readonly VectorDefinition[] = [
  changed('bit-flipped', 'One bit was changed: apj instead of api.', ['PartNotSigned'], (id) => [
    eventBody(id),
    eventBody(id, 'apj'),
  ]),
  changed('cleared', 'The body was removed.', ['EmptyPart'], (id) => [eventBody(id), '']),
  changed('appended', 'A trailing blank was added.', ['TrimmedBody'], (id) => [
    eventBody(id),
    `${eventBody(id)} `,
  ]),
  changed(
    'newline-added',
    'A trailing line feed was added.',
    ['TrimmedBody', 'LineBreaks'],
    (id) => [eventBody(id), `${eventBody(id)}\n`],
  ),
  changed(
    'newline-removed',
    'The trailing line feed was removed.',
    ['TrimmedBody', 'LineBreaks'],
    (id) => [`${eventBody(id)}\n`, eventBody(id)],
  ),
  changed(
    'lf-to-crlf',
    'Line feeds were changed to CR LF.',
    ['LineBreaks', 'Reserialised'],
    (id) => [eventBodyInLines(id, '\n'), eventBodyInLines(id, '\r\n')],
  ),
  changed(
    'crlf-to-lf',
    'CR LF was changed to line feeds.',
    ['LineBreaks', 'Reserialised'],
    (id) => [eventBodyInLines(id, '\r\n'), eventBodyInLines(id, '\n')],
  ),
  changed(
    'reserialised',
    'The JSON was parsed and serialized again without blanks.',
    ['Reserialised'],
    (id) => [eventBodyInLines(id, '\n'), eventBody(id)],
  ),
  changed('key-order', 'The order of two keys was changed.', ['Reserialised'], (id) => {
    const text = eventBody(id);
    return [
      text,
      text.replace('"startedAt":null,"completedAt":null', '"completedAt":null,"startedAt":null'),
    ];
  }),
  changed('unescaped', 'An escape was replaced with its character.', ['Reserialised'], (id) => [
    eventBody(id, '?').replace('?', String.raw`\u00e9`),
    eventBody(id, 'é'),
  ]),
  changed('number-respelled', 'The number 1.0 was changed to 1.', ['Reserialised'], (id) => {
    const text = eventBody(id);
    return [text.replace('"test":', '"n":1.0,"test":'), text.replace('"test":', '"n":1,"test":')];
  }),
  changed('byte-order-mark-added', 'A byte order mark was added.', ['ByteOrderMark'], (id) => [
    eventBody(id),
    BYTE_ORDER_MARK + eventBody(id),
  ]),
  changed(
    'byte-order-mark-removed',
    'The byte order mark was removed.',
    ['ByteOrderMark'],
    (id) => [BYTE_ORDER_MARK + eventBody(id), eventBody(id)],
  ),
  changed('cut-at-nul', 'A NUL and everything after it was removed.', ['EarlyEnd'], (id) => [
    `${eventBody(id)}\u0000rest`,
    eventBody(id),
  ]),
  changed('added-after-nul', 'A NUL and more text were added.', ['EarlyEnd'], (id) => [
    eventBody(id),
    `${eventBody(id)}\u0000rest`,
  ]),
  changed('other-charset', 'The text was converted to Latin-1.', ['TextForBytes'], (id) => [
    eventBody(id, 'é'),
    Buffer.from(eventBody(id, 'é'), 'latin1'),
  ]),
  changed(
    'decomposed',
    'An accented letter was decomposed into letter and accent.',
    ['TextForBytes'],
    (id) => [eventBody(id, '\u00e9'), eventBody(id, 'e\u0301')],
  ),
  changed(
    'replacement-character',
    'Replacement characters (U+FFFD) were changed to octets that are not UTF-8. Decoded to text, both are equal.',
    ['TextForBytes'],
    (id) => [eventBody(id, '\ufffd'), withOctets(id, [0xff])],
  ),
  changed(
    'invalid-octet-exchanged',
    'An octet that is not UTF-8 was changed to another one. Decoded to text, both are equal.',
    ['TextForBytes'],
    (id) => [withOctets(id, [0xfe]), withOctets(id, [0xff])],
  ),
  {
    id: 'body-of-64-kib-shortened',
    comment: 'The last of the 65536 spaces after the JSON was removed.',
    flags: ['LargeBody', 'TrimmedBody'],
    code: 'signature_mismatch',
    body: { bytes: eventBody('whev_body-of-64-kib-shortened'), trailingSpaces: MANY_SPACES - 1 },
    signedBody: { bytes: eventBody('whev_body-of-64-kib-shortened'), trailingSpaces: MANY_SPACES },
  },
];

/** Correctly signed bodies that are not the event that the headers name. */
export const envelopeVectors: readonly VectorDefinition[] = [
  notAnEvent(
    'empty',
    'body_not_json',
    'The body is empty, so the signed message ends with a dot.',
    ['EmptyPart'],
    () => '',
  ),
  notAnEvent(
    'plain-text',
    'body_not_json',
    'The body is ASCII text but not JSON.',
    ['NotAnEvent'],
    () => 'hello',
  ),
  notAnEvent('cut-off', 'body_not_json', 'The JSON is truncated.', ['NotAnEvent'], (id) =>
    eventBody(id).slice(0, -1),
  ),
  notAnEvent(
    'byte-order-mark',
    'body_not_json',
    'The JSON has a byte order mark.',
    ['ByteOrderMark'],
    (id) => BYTE_ORDER_MARK + eventBody(id),
  ),
  notAnEvent(
    'raw-nul',
    'body_not_json',
    'A string contains an unescaped NUL.',
    ['EarlyEnd'],
    (id) => eventBody(id, '?').replace('?', '\u0000'),
  ),
  notAnEvent(
    'invalid-octet',
    'body_not_utf8',
    'A string contains the octet 0xff.',
    ['TextForBytes'],
    (id) => withOctets(id, [0xff]),
  ),
  notAnEvent(
    'overlong-utf8',
    'body_not_utf8',
    'A string contains a slash in an overlong encoding of two octets.',
    ['TextForBytes'],
    (id) => withOctets(id, [0xc0, 0xaf]),
  ),
  notAnEvent(
    'surrogate-in-utf8',
    'body_not_utf8',
    'A string contains half of a surrogate pair, encoded in three octets.',
    ['TextForBytes'],
    (id) => withOctets(id, [0xed, 0xa0, 0x80]),
  ),
  notAnEvent(
    'utf16',
    'body_not_utf8',
    'The JSON is encoded in UTF-16 with a byte order mark.',
    ['TextForBytes', 'ByteOrderMark'],
    (id) => Buffer.from(BYTE_ORDER_MARK + eventBody(id), 'utf16le'),
  ),
  notAnEvent(
    'json-null',
    'event_invalid',
    'The body is the JSON value null.',
    ['NotAnEvent'],
    () => 'null',
  ),
  notAnEvent(
    'json-array',
    'event_invalid',
    'The body is an array that contains an event.',
    ['NotAnEvent'],
    (id) => `[${eventBody(id)}]`,
  ),
  notAnEvent(
    'empty-object',
    'event_invalid',
    'The body is an object without fields.',
    ['NotAnEvent'],
    () => '{}',
  ),
  notAnEvent(
    'other-event-id',
    'event_id_mismatch',
    'The event id in the body differs from the one in the header.',
    ['IdNotCompared'],
    () => eventBody('whev_other'),
  ),
  {
    ...notAnEvent(
      'id-extended-in-header',
      'event_id_mismatch',
      'The id in the header is the id in the body followed by ".0".',
      ['IdNotCompared', 'DotInId'],
      () => eventBody('whev_body-id'),
    ),
    eventId: 'whev_body-id.0',
  },
  {
    id: 'body-id-twice',
    comment:
      'The body has the key id twice, first with another id. JSON parsers differ in which one they use.',
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

/** Returns a valid body with the given octets in a string. */
function withOctets(eventId: string, octets: readonly number[]): Uint8Array {
  const [before = '', after = ''] = eventBody(eventId, '?').split('?');
  return Buffer.concat([Buffer.from(before), Buffer.from(octets), Buffer.from(after)]);
}
