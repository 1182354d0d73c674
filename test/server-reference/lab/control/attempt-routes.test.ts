import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import type { AttemptDetail, AttemptExplanation } from '@hookproof/spec/control';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { listenAt, statuses } from '../../events/endpoint-listener.ts';
import { controlClient, START } from './control-client.ts';
import type { ControlClient } from './control-client.ts';

let server: ReferenceServer;
let control: ControlClient;

beforeAll(async () => {
  const clock = virtualClock({ now: START });
  server = await createServer({ store: { kind: 'memory' }, clock });
  control = controlClient(server);
});
afterAll(() => server.close());

/** Sends one event to an app that responds so, and returns its first attempt. */
async function attemptAt(
  script: Parameters<typeof listenAt>[0],
  { fault, secret, url }: { fault?: object; secret?: string; url?: string } = {},
) {
  const listener = await listenAt(script);
  const endpoint = await control.endpoint(url ?? listener.url, {
    headers: { 'x-custom': 'yes' },
    ...(secret === undefined ? {} : { secret }),
  });
  const endpointId = endpoint.id;
  if (fault !== undefined)
    await control.expectOk(201, '/delivery-faults', { endpointId, ...fault });
  await control.expectOk(202, `/webhook-endpoints/${endpointId}/test`, {});
  const { id } = await control.onlyDelivery(`?endpointId=${endpointId}`);
  await control.expectOk(200, '/wait', { for: 'delivery', id, attempts: 1 });
  const path = `/deliveries/${id}/attempts/1`;
  const detail = await control.expectOk<AttemptDetail>(200, path);
  return { endpoint, detail, path, arrival: listener.arrivals[0] };
}

function refusing(status: number, code: string) {
  return (response: Parameters<ReturnType<typeof statuses>>[0]): void => {
    response.writeHead(status, { 'x-app': 'a' }).end(JSON.stringify({ code }));
  };
}

describe('an attempt', () => {
  test('shows the bytes and headers that arrived, the headers of the response, and no explanation of a success', async () => {
    const { detail, arrival, endpoint } = await attemptAt(refusing(200, 'ok'));
    expect(detail).toMatchObject({
      endpointId: endpoint.id,
      attempt: { number: 1, status: 200 },
      original: null,
      differs: [],
      explanation: null,
    });
    expect(detail.sent).toMatchObject({ url: endpoint.url, body: arrival?.body.toString() });
    expect(Object.fromEntries(detail.sent?.headers as [string, string][])).toMatchObject({
      'x-custom': 'yes',
      'webhook-signature': arrival?.headers['webhook-signature'],
    });
    expect(detail.responseHeaders).toContainEqual(['x-app', 'a']);
  });

  test('is unknown after another number', async () => {
    const { path } = await attemptAt(statuses(204));
    for (const number of ['0', '2', '01', 'x']) {
      const { issues } = await control.expectError(404, path.replace(/1$/, number));
      expect(issues).toMatchObject([{ field: 'number', code: 'not_found' }]);
    }
  });

  test('shows what a delivery fault changed', async () => {
    const tampered = await attemptAt(statuses(401), { fault: { name: 'tampered-body' } });
    expect(tampered.detail.differs).toEqual(['body']);
    expect(tampered.detail.sent?.body).toBe(tampered.arrival?.body.toString());
    expect(tampered.detail.original?.body).not.toBe(tampered.detail.sent?.body);
    const wrong = await attemptAt(statuses(401), { fault: { name: 'wrong-secret' } });
    expect(wrong.detail.differs).toEqual(['webhook-signature']);
    expect(wrong.detail.original?.headers).not.toEqual(wrong.detail.sent?.headers);
  });
});

type Cause = AttemptExplanation['cause'];

describe('the explanation of an attempt', () => {
  test.each<[Cause, number, string, string, string]>([
    ['app_verification', 401, 'signature_mismatch', '(whsec_…', 'restart it'],
    ['app_refused', 403, '', 'so it is not that of the receiver', 'CSRF protection'],
    ['app_refused', 401, 'nope', 'matches the', 'the secret of this endpoint'],
    ['app_verification', 401, 'header_missing', 'matches the', 'Pass all headers'],
    ['app_verification', 425, 'timestamp_too_old', '2026-07-01T00:00:00.000Z', 'Compare the clock'],
    ['redirect', 307, '', 'A redirect is not followed', 'final address'],
    ['app_refused', 404, '', 'It is not retried', 'webhook route'],
    ['app_refused', 400, 'bad', '(bad)', 'wrong signature'],
    ['app_refused', 418, '', 'It is not retried', 'log of the app'],
    ['app_failed', 500, '', 'It is retried', 'log of the app'],
    ['app_failed', 500, 'body_already_read', 'It is retried', 'before any body parser'],
    ['app_failed', 503, 'not_started', 'It is retried', 'receiver.start()'],
    ['app_failed', 503, 'store_unavailable', 'It is retried', 'database of the app'],
    ['app_refused', 409, 'event_id_conflict', 'It is not retried', 'empty that store'],
  ])('is %s for %i %s', async (cause, status, code, evidence, fix) => {
    const { detail } = await attemptAt(refusing(status, code));
    const { explanation } = detail;
    expect(explanation).toMatchObject({ cause, fix: expect.stringContaining(fix) });
    expect(explanation?.evidence.join(' ')).toContain(evidence);
  });

  test.each<[string, number, Cause, string]>([
    ['wrong-secret', 401, 'delivery_fault', 'signed the request with another secret'],
    ['wrong-secret', 200, 'changed_request_accepted', 'has to refuse'],
    ['tampered-body', 400, 'delivery_fault', 'changed the body after it was signed'],
    ['tampered-body', 204, 'changed_request_accepted', 'has to refuse'],
    ['stale-timestamp', 425, 'delivery_fault', 'in the past'],
    ['future-timestamp', 202, 'changed_request_accepted', 'in the future'],
    ['truncated-body', 200, 'delivery_fault', 'before the end of the body'],
    ['drop-then-redeliver', 200, 'delivery_fault', 'before it was sent'],
  ])('names the fault %s with %i: %s', async (name, status, cause, evidence) => {
    const { detail } = await attemptAt(statuses(status), { fault: { name } });
    expect(detail.explanation).toMatchObject({ cause });
    expect(detail.explanation?.evidence.join(' ')).toContain(evidence);
  });

  test('accepts a changed time within the tolerance', async () => {
    const fault = { name: 'stale-timestamp', seconds: 100 };
    const { detail } = await attemptAt(statuses(204), { fault });
    expect(detail).toMatchObject({ explanation: null, differs: expect.any(Array) });
    expect(detail.differs).toContain('webhook-timestamp');
  });

  test('says of each attempt what followed it, and after the last that the server gave up', async () => {
    const { path } = await attemptAt(statuses(500));
    const deliveryPath = path.replace(/\/attempts.*/, '');
    const evidenceOf = async (number: number) => {
      const { explanation } = await control.expectOk<AttemptDetail>(
        200,
        `${deliveryPath}/attempts/${number}`,
      );
      return explanation?.evidence.join(' ');
    };
    expect(await evidenceOf(1)).toContain('It is retried.');
    await control.advance(60_000);
    expect(await evidenceOf(1)).toContain('It was tried again.');
    expect(await evidenceOf(8)).toContain('The server gave up after 8 attempts.');
  });

  test('names what happens without a response', async () => {
    const refused = await attemptAt(statuses(200), { url: 'http://127.0.0.1:1/' });
    expect(refused.detail.explanation).toMatchObject({ cause: 'unreachable' });
    const reset = await attemptAt((response) => void response.destroy());
    expect(reset.detail.explanation).toMatchObject({ cause: 'no_response' });
    const metadata = await attemptAt(statuses(200), { url: 'http://metadata.invalid/' });
    expect(metadata.detail.explanation).toMatchObject({ cause: 'unreachable' });
  });

  test.each([
    [401, '<!doctype html><title>Authentication Required</title>', 'The response is a page'],
    [403, 'Invalid CSRF token', 'names no code'],
    [403, '{"message":"Missing Authentication Token"}', 'names no code'],
  ])('blames no secret for %i %s', async (status, body, evidence) => {
    const { detail } = await attemptAt((response) => {
      response.writeHead(status).end(body);
    });
    expect(detail.explanation?.cause).toBe('app_refused');
    expect(detail.explanation?.evidence.join(' ')).toContain(evidence);
    expect(detail.explanation?.fix).toMatch(/^Look for what answers before the webhook route/);
  });

  test('says that a port speaks no TLS', async () => {
    const plain = await listenAt();
    const url = plain.url.replace('http:', 'https:');
    const { detail } = await attemptAt(statuses(200), { url });
    expect(detail.explanation).toMatchObject({
      cause: 'unreachable',
      fix: expect.stringContaining('Use http in the URL'),
    });
  });

  test('holds after the secret of the endpoint has changed, and contains no secret', async () => {
    const secret = 'whsec_canary0123456789';
    const { endpoint, path } = await attemptAt(statuses(401), { secret });
    const other = { secret: 'whsec_other0123456789' };
    await control.call(`/webhook-endpoints/${endpoint.id}`, { method: 'PATCH', json: other });
    const { explanation } = await control.expectOk<AttemptDetail>(200, path);
    expect(explanation).toMatchObject({ cause: 'app_refused' });
    expect(JSON.stringify(explanation)).not.toMatch(/canary|other0123/);
    expect(explanation?.evidence.join(' ')).toContain(
      '(whsec_…6789, 22 characters), which has changed since',
    );
    expect(explanation?.evidence.join(' ')).toContain('has changed since');
  });
});
