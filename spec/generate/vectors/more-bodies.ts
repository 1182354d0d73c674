import type { BodyDefinition, VectorDefinition } from './definition.ts';
import { eventBody, statusChangedBody } from './event-body.ts';

type Bytes = BodyDefinition['bytes'];

/** Bodies that are valid events in a spelling that a serializer would not choose. */
const SPELLINGS: Readonly<Record<string, (text: string) => string>> = {
  'indent-1': (text) => JSON.stringify(JSON.parse(text), null, 1),
  'indent-4': (text) => JSON.stringify(JSON.parse(text), null, 4),
  'indent-tab': (text) => JSON.stringify(JSON.parse(text), null, '\t'),
  'space-after-colon': (text) => text.replaceAll('":', '": '),
  'space-before-colon': (text) => text.replaceAll('":', '" :'),
  'leading-newline': (text) => `\n${text}`,
  'leading-tab': (text) => `\t${text}`,
  'trailing-crlf': (text) => `${text}\r\n`,
  'escaped-slash': (text) => text.replace('"api"', String.raw`"a\/pi"`),
  'escaped-capital': (text) => text.replace('"api"', String.raw`"\u00C9"`),
  'escaped-surrogates': (text) => text.replace('"api"', String.raw`"\ud83d\ude00"`),
  'lone-surrogate': (text) => text.replace('"api"', String.raw`"\ud800"`),
  noncharacter: (text) => text.replace('"api"', '"\uffff"'),
  'line-separator': (text) => text.replace('"api"', '"a\u2028b"'),
  'zero-width': (text) => text.replace('"api"', '"a\u200bb"'),
  'number-minus-zero': (text) => withField(text, '-0'),
  'number-capital-exponent': (text) => withField(text, '1E+2'),
  'number-above-a-double': (text) => withField(text, '1e400'),
  'number-many-decimals': (text) => withField(text, '0.1000000000000000055511151231257827'),
  'nested-64': (text) => withField(text, '['.repeat(64) + ']'.repeat(64)),
  'field-constructor': (text) => text.replace('"test":', '"constructor":{"prototype":1},"test":'),
  'field-empty-name': (text) => text.replace('"test":', '"":null,"test":'),
};

/** Changes of a body after signing. */
const CHANGES: Readonly<Record<string, (text: string) => Bytes>> = {
  'space-added-inside': (text) => text.replace(',', ', '),
  'space-added-first': (text) => ` ${text}`,
  'tab-added': (text) => `${text}\t`,
  'nul-added-first': (text) => `\0${text}`,
  'last-removed': (text) => text.slice(0, -1),
  'first-removed': (text) => text.slice(1),
  doubled: (text) => text + text,
  'letters-swapped': (text) => text.replace('"api"', '"aip"'),
  'letter-case': (text) => text.replace('"api"', '"Api"'),
  'true-to-false': (text) => text.replace('"test":true', '"test":false'),
  'null-to-empty': (text) => text.replace('"startedAt":null', '"startedAt":""'),
  'field-removed': (text) => text.replace('"completedAt":null', '"completed":null'),
  'field-added': (text) => text.replace('"test":', '"extra":1,"test":'),
  'key-doubled': (text) => text.replace('"test":', '"test":true,"test":'),
  'time-respelled': (text) => text.replaceAll('.000Z', 'Z'),
  'slash-escaped': (text) => text.replace('"api"', String.raw`"a\u0070i"`),
  'as-string': (text) => JSON.stringify(text),
  'as-base64': (text) => Buffer.from(text).toString('base64'),
  'as-utf-16': (text) => Buffer.from(text, 'utf16le'),
  'pretty-printed': (text) => JSON.stringify(JSON.parse(text), null, 2),
  'percent-encoded': (text) => encodeURIComponent(text),
};

/** Values that a field of the event may not have: path, then the value in JSON. */
const WRONG_FIELDS: readonly (readonly [name: string, find: string, replace: string])[] = [
  ['type-missing', '"type":"run.created",', ''],
  ['type-null', '"type":"run.created"', '"type":null'],
  ['version-number', '"apiVersion":"2026-07-01"', '"apiVersion":20260701'],
  ['version-missing', '"apiVersion":"2026-07-01",', ''],
  ['test-text', '"test":true', '"test":"true"'],
  ['test-number', '"test":true', '"test":1'],
  ['test-missing', '"test":true,', ''],
  ['run-null', '"run":{', '"run":null,"old":{'],
  ['run-array', '"run":{', '"run":[],"old":{'],
  ['run-missing', '"run":{', '"runs":{'],
  ['run-id-number', '"id":"exec_vector"', '"id":7'],
  ['automation-prefix', '"wf_vector"', '"vector"'],
  ['automation-null', '"automationId":"wf_vector"', '"automationId":null'],
  ['run-type-unknown', '"type":"workflow"', '"type":"robot"'],
  ['status-queued', '"status":"pending"', '"status":"queued"'],
  ['status-capital', '"status":"pending"', '"status":"Pending"'],
  ['status-null', '"status":"pending"', '"status":null'],
  ['trigger-number', '"triggerType":"api"', '"triggerType":1'],
  ['started-number', '"startedAt":null', '"startedAt":0'],
  ['completed-missing', ',"completedAt":null', ''],
  ['omitted-text', '"completedAt":null', '"completedAt":null,"outputOmitted":"yes"'],
  ['current-in-created', '"data":{', '"data":{"currentStatus":"pending",'],
  ['previous-in-created', '"data":{', '"data":{"previousStatus":"created",'],
];

/** Events of a change of status whose statuses contradict each other. */
const WRONG_CHANGES: readonly (readonly [name: string, find: string, replace: string])[] = [
  ['current-differs', '"currentStatus":"running"', '"currentStatus":"failed"'],
  ['current-missing', ',"currentStatus":"running"', ''],
  ['previous-missing', '"previousStatus":"pending",', ''],
  ['previous-null', '"previousStatus":"pending"', '"previousStatus":null'],
  ['previous-unknown', '"previousStatus":"pending"', '"previousStatus":"queued"'],
];

/** Forms of ISO 8601 that date libraries print and some date functions do not read. */
const TIMES: Readonly<Record<string, string>> = {
  'leap-second': '2026-06-30T23:59:60Z',
  'small-letters': '2026-07-01t11:59:58z',
  'no-seconds': '2026-07-01T11:59Z',
  'offset-without-colon': '2026-07-01T13:59:58+0200',
};

/** Forms of ISO 8601 that hardly any program prints. What a receiver makes of such an event is left open. */
const OTHER_TIMES: Readonly<Record<string, string>> = {
  'decimal-comma': '2026-07-01T11:59:58,000Z',
  'basic-format': '20260701T115958Z',
  'week-date': '2026-W27-3T11:59:58Z',
};

/** Spellings that some JSON parsers refuse, which the contract leaves open. */
const DISPUTED: ReadonlySet<string> = new Set(['lone-surrogate', 'number-above-a-double']);

/** Further valid bodies. */
export const spelledBodyVectors: readonly VectorDefinition[] = Object.entries(SPELLINGS).map(
  ([name, spell]) => {
    const id = `body-spelling-${name}`;
    return {
      id,
      comment: `The event is spelt in another way: ${name}.`,
      flags: ['Reserialised'],
      envelope: DISPUTED.has(name) ? 'freedom' : 'valid',
      body: { bytes: spell(eventBody(`whev_${id}`)) },
    };
  },
);

/** Further bodies that were changed after signing. */
export const alteredBodyVectors: readonly VectorDefinition[] = Object.entries(CHANGES).map(
  ([name, change]) => {
    const id = `body-changed-${name}`;
    const text = eventBody(`whev_${id}`);
    return {
      id,
      comment: `The body was changed after signing: ${name}.`,
      flags: ['PartNotSigned', 'Reserialised'],
      code: 'signature_mismatch',
      body: { bytes: change(text) },
      signedBody: { bytes: text },
    };
  },
);

/** Further bodies that are signed but no event, or an event in another spelling. */
export const moreEnvelopeVectors: readonly VectorDefinition[] = [
  ...WRONG_FIELDS.map(([name, find, replace]) =>
    notAnEvent(name, (id) => eventBody(id).replace(find, replace)),
  ),
  ...WRONG_CHANGES.map(([name, find, replace]) =>
    notAnEvent(name, (id) => statusChangedBody(id).replace(find, replace)),
  ),
  ...['-1', '0', 'true', '"text"', '[]', '{"id":1}'].map((json, index) =>
    notAnEvent(`json-value-${index + 1}`, () => json),
  ),
  ...Object.entries(TIMES).map(([name, time]) =>
    withTimes(name, time, `The times are ${time}, an unusual form of ISO 8601.`),
  ),
  ...Object.entries(OTHER_TIMES).map(([name, time]): VectorDefinition => {
    const comment = `The times are ${time}, a form of ISO 8601 that is rarely written.`;
    return withTimes(name, time, comment, { result: 'valid', code: 'event_invalid' });
  }),
];

function withTimes(
  name: string,
  time: string,
  comment: string,
  expected: Pick<VectorDefinition, 'result' | 'code'> = {},
): VectorDefinition {
  const id = `envelope-time-${name}`;
  const bytes = eventBody(`whev_${id}`).replaceAll('2026-07-01T11:59:58.000Z', time);
  return {
    id,
    comment,
    flags: ['TimeSpelling'],
    envelope: 'freedom',
    ...expected,
    body: { bytes },
  };
}

function notAnEvent(name: string, body: (eventId: string) => string): VectorDefinition {
  const id = `envelope-${name}`;
  return {
    id,
    comment: `The body is signed but no event of the contract: ${name}.`,
    flags: ['NotAnEvent'],
    envelope: 'invalid',
    code: 'event_invalid',
    body: { bytes: body(`whev_${id}`) },
  };
}

function withField(text: string, json: string): string {
  return text.replace('"test":', `"sequence":${json},"test":`);
}
