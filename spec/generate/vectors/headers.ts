import type { VectorDefinition } from './definition.ts';

const PARTS = ['id', 'timestamp', 'signature'] as const;

/** Headers that are missing, empty, repeated or joined to a list, and malformed ids. */
export const headerVectors: readonly VectorDefinition[] = [
  {
    id: 'headers-all-missing',
    comment: 'All three headers are missing.',
    flags: ['MissingHeader'],
    code: 'header_missing',
    allHeaders: [],
  },
  ...PARTS.map((part): VectorDefinition => ({
    id: `${part}-missing`,
    comment: `webhook-${part} is missing. The other two headers are valid.`,
    flags: ['MissingHeader'],
    code: 'header_missing',
    headers: { [part]: [] },
  })),
  ...PARTS.map((part): VectorDefinition => ({
    id: `${part}-empty`,
    comment: `webhook-${part} is empty.${part === 'signature' ? '' : ' The empty value was signed.'}`,
    flags: ['MissingHeader', ...(part === 'signature' ? [] : ['EmptyPart'])],
    code: `${part}_malformed`,
    ...(part === 'id' ? { eventId: '' } : {}),
    ...(part === 'timestamp' ? { timestamp: '' } : {}),
    headers: { [part]: '' },
  })),
  missingSignedAs('id', 'empty', ''),
  missingSignedAs('timestamp', 'empty', ''),
  missingSignedAs('id', 'undefined', 'undefined'),
  missingSignedAs('timestamp', 'undefined', 'undefined'),
  ...PARTS.map((part): VectorDefinition => ({
    id: `${part}-repeated`,
    comment: `webhook-${part} is present twice with the same valid value.`,
    flags: ['RepeatedHeader'],
    basis: 'reading',
    code: 'header_repeated',
    headers: { [part]: twice(part, `${part}-repeated`) },
  })),
  {
    id: 'id-repeated-other-first',
    comment: 'webhook-id is present twice: first another id, then the signed one.',
    flags: ['RepeatedHeader'],
    basis: 'reading',
    code: 'header_repeated',
    headers: { id: ['whev_other', 'whev_id-repeated-other-first'] },
  },
  {
    id: 'id-repeated-other-last',
    comment: 'webhook-id is present twice: first the signed id, then another one.',
    flags: ['RepeatedHeader'],
    basis: 'reading',
    code: 'header_repeated',
    headers: { id: ['whev_id-repeated-other-last', 'whev_other'] },
  },
  {
    id: 'timestamp-repeated-stale-first',
    comment: 'webhook-timestamp is present twice: first 0, then the signed timestamp.',
    flags: ['RepeatedHeader'],
    basis: 'reading',
    code: 'header_repeated',
    headers: { timestamp: ['0', '{timestamp}'] },
  },
  {
    id: 'signature-repeated-wrong-first',
    comment: 'webhook-signature is present twice: first a wrong digest, then the correct one.',
    flags: ['RepeatedHeader', 'SignatureList'],
    basis: 'reading',
    code: 'header_repeated',
    headers: { signature: ['v1,{digest|flip-first}', 'v1,{digest}'] },
  },
  {
    id: 'signature-repeated-wrong-last',
    comment: 'webhook-signature is present twice: first the correct digest, then a wrong one.',
    flags: ['RepeatedHeader', 'SignatureList'],
    basis: 'reading',
    code: 'header_repeated',
    headers: { signature: ['v1,{digest}', 'v1,{digest|flip-first}'] },
  },
  {
    id: 'id-repeated-other-case',
    comment:
      'The id is present as webhook-id and as Webhook-Id. Header names are case-insensitive.',
    flags: ['RepeatedHeader', 'HeaderNameCase'],
    basis: 'reading',
    code: 'header_repeated',
    allHeaders: [
      ['webhook-id', 'whev_id-repeated-other-case'],
      ['Webhook-Id', 'whev_other'],
      ['webhook-timestamp', '{timestamp}'],
      ['webhook-signature', 'v1,{digest}'],
    ],
  },
  {
    id: 'id-comma-list',
    comment: 'The value contains two ids, like a repeated header that was joined.',
    flags: ['RepeatedHeader'],
    basis: 'reading',
    code: 'id_malformed',
    headers: { id: 'whev_id-comma-list, whev_other' },
  },
  {
    id: 'id-comma-list-signed',
    comment:
      'The value contains two ids joined with a comma, and is signed like this. Only a check of the id format refuses it.',
    flags: ['RepeatedHeader'],
    basis: 'reading',
    code: 'id_malformed',
    eventId: 'whev_id-comma-list-signed,whev_other',
  },
  {
    id: 'timestamp-comma-list',
    comment: 'The value contains two timestamps. The first one was signed.',
    flags: ['RepeatedHeader', 'LenientNumber'],
    code: 'timestamp_malformed',
    headers: { timestamp: '{timestamp}, {timestamp}' },
  },
  {
    id: 'id-with-blank',
    comment: 'The id contains a blank, and is signed like this.',
    flags: ['MalformedId'],
    basis: 'reading',
    code: 'id_malformed',
    eventId: 'whev_id with blank',
  },
  {
    id: 'id-with-tab',
    comment: 'The id contains a tab, and is signed like this. HTTP allows tabs.',
    flags: ['MalformedId', 'ControlCharacter'],
    basis: 'reading',
    code: 'id_malformed',
    eventId: 'whev_id\twith-tab',
  },
  {
    id: 'id-with-trailing-blank',
    comment:
      'The id ends with a blank, and is signed like this. HTTP removes the blank in transit.',
    flags: ['MalformedId'],
    basis: 'reading',
    code: 'id_malformed',
    overHttp: false,
    eventId: 'whev_id-with-trailing-blank ',
  },
  {
    id: 'id-with-line-break',
    comment:
      'The id contains a line break, and is signed like this. Such an id can forge a log line.',
    flags: ['MalformedId', 'ControlCharacter'],
    basis: 'reading',
    code: 'id_malformed',
    overHttp: false,
    eventId: 'whev_id\r\nwith-line-break',
  },
  {
    id: 'id-with-nul',
    comment: 'The id contains a NUL, and is signed like this.',
    flags: ['MalformedId', 'ControlCharacter', 'EarlyEnd'],
    basis: 'reading',
    code: 'id_malformed',
    overHttp: false,
    eventId: 'whev_id\u0000with-nul',
  },
  {
    id: 'id-not-ascii',
    comment:
      'The id contains an octet above 0x7f, and is signed like this. Receivers decode it differently.',
    flags: ['MalformedId', 'TextForBytes'],
    basis: 'reading',
    code: 'id_malformed',
    eventId: 'whev_id-not-asci\u00ed',
  },
  {
    id: 'id-without-prefix',
    comment:
      'The id does not begin with whev_. The contract states the prefix, but does not require receivers to check it.',
    flags: ['OpenPoint'],
    result: 'freedom',
    envelope: 'freedom',
    code: 'event_invalid',
    eventId: 'event_id-without-prefix',
  },
  {
    id: 'id-of-257-characters',
    comment: 'The id is very long. The contract states no maximum length.',
    flags: ['OpenPoint'],
    result: 'freedom',
    envelope: 'freedom',
    code: 'id_malformed',
    eventId: `whev_${'0123456789abcdef'.repeat(16).slice(4)}`,
  },
];

function twice(part: (typeof PARTS)[number], id: string): readonly string[] {
  const value = { id: `whev_${id}`, timestamp: '{timestamp}', signature: 'v1,{digest}' }[part];
  return [value, value];
}

/** A header is missing, and what a careless receiver reads in its place was signed. */
function missingSignedAs(part: 'id' | 'timestamp', name: string, value: string): VectorDefinition {
  const signed = value === '' ? 'An empty text' : `The text "${value}"`;
  return {
    id: `${part}-missing-signed-as-${name}`,
    comment: `webhook-${part} is missing. ${signed} was signed in its place.`,
    flags: ['MissingHeader', 'EmptyPart'],
    code: 'header_missing',
    ...(part === 'id' ? { eventId: value } : { timestamp: value }),
    headers: { [part]: [] },
  };
}
