import { createHmac } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';

import { explainDelivery, formatExplanation } from '@hookproof/receiver/explain';
import type { ExplainOptions } from '@hookproof/receiver/explain';
import { runStatusChangedEvent, sign, signEvent } from '@hookproof/receiver/testing';
import { describe, expect, test } from 'vitest';

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBlbmRwb2ludA==';
const NOW = Date.parse('2026-07-01T12:00:00.000Z');
const TIMESTAMP = NOW / 1000;
const CANARY = 'canary äß </& 7f3a';
const event = runStatusChangedEvent({ run: { output: { text: CANARY, lines: ['a', 'b'] } } });
const text = JSON.stringify(event);
const BOM = '\ufeff';

/** Signs as a sender does that uses another key or message. */
function signed(key: string | Buffer, message: string | Buffer, body = text) {
  const digest = createHmac('sha256', key).update(message).digest('hex');
  return {
    headers: {
      'webhook-id': event.id,
      'webhook-timestamp': String(TIMESTAMP),
      'webhook-signature': `v1,${digest}`,
    },
    rawBody: Buffer.from(body),
  };
}

function explain(
  delivery: Parameters<typeof explainDelivery>[0],
  options: Partial<ExplainOptions> = {},
) {
  const explanation = explainDelivery(delivery, { secrets: SECRET, now: () => NOW, ...options });
  const line = formatExplanation(explanation);
  expect(line).not.toContain('\n');
  expect(line).not.toContain('canary');
  expect(line).not.toContain(SECRET.slice(6, 20));
  expect(line).not.toMatch(/[\da-f]{32}/);
  expect(line.startsWith(`${explanation.cause}: `)).toBe(true);
  return explanation;
}

const MESSAGE = `${event.id}.${TIMESTAMP}.${text}`;
const bare = SECRET.slice(6);

test.each<[string, string | Buffer]>([
  ['key_without_prefix', bare],
  ['key_from_base64', Buffer.from(bare, 'base64')],
  ['secret_with_newline', `${SECRET}\n`],
  ['secret_with_newline', `${SECRET}\r\n`],
  ['secret_with_space', `${SECRET} `],
  ['secret_with_space', ` ${SECRET}`],
  ['secret_with_quotes', `"${SECRET}"`],
  ['secret_with_quotes', `'${SECRET}'`],
  ['key_empty', ''],
])('names %s, the key of the sender', (cause, key) => {
  const explanation = explain(signed(key, MESSAGE));
  expect(explanation).toMatchObject({ cause, evidence: expect.stringContaining('secrets[0]') });
  expect(explanation.fix).not.toBe('');
});

test.each([
  ['secret_with_newline', `${SECRET}\n`],
  ['secret_with_space', ` ${SECRET} `],
  ['secret_with_quotes', `"${SECRET}"`],
])('names %s in the configured secret', (cause, secrets) => {
  const { evidence } = explain(signed(SECRET, MESSAGE), { secrets });
  const causes = cause === 'secret_with_newline' ? /whitespace/ : /whitespace|quotes/;
  expect(evidence).toMatch(causes);
});

test('names a configured secret without its prefix', () => {
  const explanation = explain(signed(SECRET, MESSAGE), { secrets: bare });
  expect(explanation).toMatchObject({ cause: 'secret_without_prefix' });
});

test('names the key of a verifier that decodes base64', () => {
  const explanation = explain(signed(SECRET, MESSAGE), { secretEncoding: 'base64' });
  expect(explanation).toMatchObject({ cause: 'key_from_utf8' });
});

test('names the other secret that matches', () => {
  const otherSecrets = { staging: 'whsec_b3RoZXI=' };
  const explanation = explain(signed('whsec_b3RoZXI=', MESSAGE), { otherSecrets });
  expect(explanation).toEqual({
    cause: 'other_secret',
    evidence: 'The signature matches the secret of staging.',
    fix: 'Copy the secret of this endpoint from the dashboard.',
  });
});

const head = `${event.id}.${TIMESTAMP}`;

test.each([
  ['message_parts_swapped', `${TIMESTAMP}.${event.id}.${text}`],
  ['message_without_id', `${TIMESTAMP}.${text}`],
  ['message_without_timestamp', `${event.id}.${text}`],
  ['message_is_body_alone', text],
  ['message_in_milliseconds', `${event.id}.${TIMESTAMP}000.${text}`],
  ['message_other_time', `${event.id}.${TIMESTAMP + 1}.${text}`],
  ['message_other_time', `${event.id}.${TIMESTAMP - 3}.${text}`],
  ['message_without_body', `${head}.`],
  ['message_without_body', head],
  ['message_other_separator', `${head}${text}`],
  ['message_other_separator', `${event.id}:${TIMESTAMP}:${text}`],
  ['message_other_separator', `${event.id}\n${TIMESTAMP}\n${text}`],
])('names %s', (cause, message) => {
  expect(explain(signed(SECRET, message))).toMatchObject({ cause });
});

const pretty = JSON.stringify(event, null, 2);
const escaped = text.replaceAll('ä', '\\u00e4').replaceAll('ß', '\\u00df');

/** The body that was signed, and the one that was verified. */
test.each<[string, string | Buffer, string | Buffer]>([
  ['body_reserialized', text, pretty],
  ['body_pretty_printed', pretty, text],
  ['body_pretty_printed', JSON.stringify(event, null, '\t'), text],
  [
    'body_keys_sorted',
    '{"a":{"c":1,"d":[{"e":1,"f":2}]},"b":2}',
    '{"b":2,"a":{"d":[{"f":2,"e":1}],"c":1}}',
  ],
  ['body_reserialized', '{"a": [1, 2], "b": "x"}', '{"a":[1,2],"b":"x"}'],
  ['body_escapes_changed', escaped, text],
  ['body_escapes_changed', escaped.replaceAll('00e4', '00E4').replaceAll('00df', '00DF'), text],
  ['body_escapes_changed', text.replaceAll('/', '\\/'), text],
  ['body_escapes_changed', escaped.replaceAll('/', '\\/'), text],
  ['body_reserialized', text, escaped],
  ['body_trimmed', `${text}\n`, text],
  ['body_newline_added', 'not JSON', 'not JSON\n'],
  ['body_line_endings', 'not\nJSON', 'not\r\nJSON'],
  ['body_line_endings', 'not\r\nJSON', 'not\nJSON'],
  ['body_byte_order_mark', BOM + text, text],
  ['body_byte_order_mark', 'not JSON', `${BOM}not JSON`],
  ['body_decoded', Buffer.from(text, 'latin1'), text],
  ['body_decoded', text, Buffer.from(text).toString('latin1')],
  ['body_reserialized', `${text}\n`, pretty],
  ['body_keys_sorted', '{"a": [1], "b": 2}', '{"b":2,"a":[1]}'],
  ['body_compressed', text, gzipSync(text)],
  ['body_compressed', text, deflateSync(text)],
  ['body_in_base64', text, Buffer.from(text).toString('base64')],
  ['body_as_json_string', text, JSON.stringify(text)],
  ['body_empty', text, ''],
])('names %s', (cause, sent, verified) => {
  const message = Buffer.concat([Buffer.from(`${head}.`), Buffer.from(sent)]);
  const delivery = { ...signed(SECRET, message), rawBody: Buffer.from(verified) };
  const explanation = explain(delivery);
  expect(explanation).toMatchObject({ cause, fix: expect.stringContaining('bytes as received') });
});

test('names a changed body beside a wrong key', () => {
  const delivery = { ...signed(`${SECRET}\n`, `${head}.${pretty}`), rawBody: Buffer.from(text) };
  expect(explain(delivery)).toMatchObject({
    cause: 'body_pretty_printed',
    evidence: expect.stringContaining('secrets[0] with a newline at its end'),
  });
});

describe('headers', () => {
  const valid = signed(SECRET, MESSAGE);
  const { 'webhook-signature': signature } = valid.headers;
  const changed = (changes: Readonly<Record<string, string | readonly string[] | undefined>>) => ({
    ...valid,
    headers: { ...valid.headers, ...changes },
  });

  test.each([
    ['header_missing', { 'webhook-id': undefined }],
    ['header_repeated', { 'webhook-id': [event.id, event.id] }],
    ['headers_swapped', { 'webhook-id': String(TIMESTAMP), 'webhook-timestamp': event.id }],
    ['headers_joined', { 'webhook-id': `${event.id}, ${event.id}` }],
    ['headers_joined', { 'webhook-timestamp': `${TIMESTAMP}, ${TIMESTAMP}` }],
    ['id_malformed', { 'webhook-id': 'a b' }],
    ['timestamp_in_milliseconds', { 'webhook-timestamp': String(NOW) }],
    ['timestamp_not_unix_seconds', { 'webhook-timestamp': '2026-07-01T12:00:00Z' }],
    ['signature_prefix_missing', { 'webhook-signature': signature.slice(3) }],
    ['signature_prefix_missing', { 'webhook-signature': `sha256=${signature.slice(3)}` }],
    [
      'signature_in_base64',
      { 'webhook-signature': `v1,${Buffer.from(signature.slice(3), 'hex').toString('base64')}` },
    ],
    ['signature_list', { 'webhook-signature': `${signature} ${signature}` }],
    ['signature_upper_case', { 'webhook-signature': signature.toUpperCase() }],
    ['signature_malformed', { 'webhook-signature': `${signature}0` }],
  ])('name %s', (cause, changes) => {
    expect(explain(changed(changes))).toMatchObject({ cause });
  });

  test('may come in every form that verify takes', () => {
    const pairs = Object.entries(valid.headers).flat();
    for (const headers of [
      new Headers(valid.headers),
      { rawHeaders: pairs },
      { req: { rawHeaders: pairs } },
    ]) {
      expect(explain({ ...valid, headers })).toMatchObject({ cause: 'valid' });
    }
  });
});

describe('an authentic delivery', () => {
  test.each([
    [1000, /1000 s behind this clock \(tolerance 300 s\)/],
    [-1000, /1000 s ahead of this clock/],
  ])('with a clock off by %i s', (seconds, evidence) => {
    const delivery = signed(SECRET, MESSAGE);
    const explanation = explain(delivery, { now: () => NOW + seconds * 1000 });
    expect(explanation).toMatchObject({
      cause: 'clock_off',
      evidence: expect.stringMatching(evidence),
    });
  });

  test('with a body that is no event', () => {
    const headers = sign({ secret: SECRET, id: 'whev_1', timestamp: TIMESTAMP, body: '{}' });
    expect(explain({ headers, rawBody: Buffer.from('{}') })).toMatchObject({
      cause: 'event_invalid',
      evidence: expect.stringMatching(/^id must be whev_…/),
    });
  });

  test('is valid', () => {
    const { headers, body } = signEvent(event, { secret: SECRET, now: () => NOW });
    expect(explain({ headers, rawBody: body })).toMatchObject({ cause: 'valid' });
  });
});

test('says so when nothing fits', () => {
  expect(explain(signed('whsec_another', MESSAGE))).toMatchObject({
    cause: 'unknown',
    evidence: expect.stringMatching(
      /^No known mistake gives this signature \(\d+ keys and \d+ bodies tried\)\.$/,
    ),
  });
});

test('says that sorted keys are a trace of a serializer', () => {
  const delivery = { ...signed(SECRET, MESSAGE), rawBody: Buffer.from('{"a": 1, "b": 2, "c": 3}') };
  expect(explain(delivery)).toMatchObject({
    cause: 'unknown',
    evidence: expect.stringContaining('All keys of the body are sorted'),
  });
});

test.each([
  ['body_length_changed', { 'content-length': '512' }],
  ['unknown', { 'content-length': String(Buffer.byteLength(text)) }],
  ['unknown', { 'content-length': '512', 'content-encoding': 'gzip' }],
])('names %s by the announced length', (cause, more) => {
  const { headers, rawBody } = signed('whsec_another', MESSAGE);
  const explanation = explain({ headers: { ...headers, ...more }, rawBody });
  expect(explanation).toMatchObject({ cause });
});

test('does not decompress more than 4 MiB', () => {
  const body = 'x'.repeat(5 * 1_048_576);
  const delivery = { ...signed(SECRET, `${head}.${body}`), rawBody: gzipSync(body) };
  expect(explain(delivery)).toMatchObject({ cause: 'unknown' });
});

test('refuses a body that is not bytes', () => {
  const delivery = { headers: {}, rawBody: text as never };
  expect(() => explainDelivery(delivery, { secrets: SECRET })).toThrow(/^rawBody must be a Buffer/);
});
