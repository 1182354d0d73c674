import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';

import { FetchRunError, fetchRunFrom } from '@hookproof/receiver/fetch-run';
import type { FetchRun, FetchRunFromOptions } from '@hookproof/receiver/fetch-run';
import { runCreatedEvent } from '@hookproof/receiver/testing';
import nock from 'nock';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { refusingPort } from '../../refusing-port.ts';
import { startNock, stopNock } from '../nock-network.ts';
import { NOON, virtualClock } from '../virtual-clock.ts';

const API = 'https://api.example.com';
const KEY = 'hp_key_3f9a';
const RUN = { id: 'exec_1', status: 'completed', output: { total: 3 }, finished: true };

const options = (more: Partial<FetchRunFromOptions> = {}): FetchRunFromOptions => ({
  baseUrl: API,
  key: KEY,
  ...more,
});

/** Calls a fetchRun as the receiver does. */
function read(fetchRun: FetchRun, signal: AbortSignal = new AbortController().signal) {
  return fetchRun('exec_1', runCreatedEvent(), { signal });
}

/** Returns the error of a call that must fail. */
async function failure(fetchRun: FetchRun, signal?: AbortSignal): Promise<FetchRunError> {
  const error: unknown = await read(fetchRun, signal).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof FetchRunError))
    throw new Error('expected a FetchRunError', { cause: error });
  expect(JSON.stringify([error.message, error.stack, Object.entries(error)])).not.toContain(KEY);
  return error;
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

describe('fetchRunFrom, with the network replaced', () => {
  beforeEach(startNock);
  afterEach(stopNock);

  it.each([
    ['https://api.example.com', '/v1/runs/exec_1'],
    ['https://api.example.com/', '/v1/runs/exec_1'],
    ['https://api.example.com/v1', '/v1/runs/exec_1'],
    ['https://api.example.com/v1/', '/v1/runs/exec_1'],
    ['https://api.example.com/api', '/api/v1/runs/exec_1'],
    ['https://api.example.com/api/v1', '/api/v1/runs/exec_1'],
  ])('reads %s at %s with the key', async (baseUrl, path) => {
    const headers = { authorization: `Bearer ${KEY}`, accept: 'application/json' };
    nock(API, { reqheaders: headers }).get(path).reply(200, RUN);
    expect(await read(fetchRunFrom(options({ baseUrl })))).toEqual(RUN);
  });

  it('escapes the run id', async () => {
    nock(API).get('/v1/runs/..%2Fkeys%3Fall').reply(200, RUN);
    const { signal } = new AbortController();
    const fetchRun = fetchRunFrom(options());
    expect(await fetchRun('../keys?all', runCreatedEvent(), { signal })).toEqual(RUN);
  });

  const get = `GET ${API}/v1/runs/exec_1 must respond with`;
  it.each([
    [401, 'Check that key is an API key of this deployment.'],
    [403, 'Give the API key the scope that reading runs requires.'],
    [
      404,
      'Check that key belongs to the tenant of the run, and that baseUrl is the deployment that sent the event.',
    ],
    [429, 'The receiver tries again later.'],
    [500, 'The receiver tries again later.'],
    [503, 'The receiver tries again later.'],
    [204, 'Check that baseUrl is the address of the API.'],
    [301, 'Check that baseUrl is the address of the API.'],
    [418, 'Check that baseUrl is the address of the API.'],
  ])('reports %i', async (status, fix) => {
    nock(API).get('/v1/runs/exec_1').reply(status, '', { location: 'https://other.example.com/' });
    expect(await failure(fetchRunFrom(options()))).toMatchObject({
      status,
      message: `${get} 200, got ${status}. ${fix}`,
      retryAfterMilliseconds: null,
    });
  });

  it.each([
    ['7', 7_000],
    ['0', 0],
    [new Date(NOON + 90_000).toUTCString(), 90_000],
    [new Date(NOON - 90_000).toUTCString(), null],
    ['999999999', 86_400_000],
    ['soon', null],
    ['-1', null],
  ])('reads Retry-After: %s', async (value, retryAfterMilliseconds) => {
    nock(API).get('/v1/runs/exec_1').reply(429, '', { 'retry-after': value });
    const fetchRun = fetchRunFrom(options({ clock: virtualClock() }));
    expect(await failure(fetchRun)).toMatchObject({ status: 429, retryAfterMilliseconds });
  });

  it('refuses a body that is not JSON', async () => {
    nock(API).get('/v1/runs/exec_1').reply(200, '<html>');
    expect(await failure(fetchRunFrom(options()))).toMatchObject({
      status: 200,
      message: `${get} a run as JSON, got another body. Check that baseUrl is the address of the API.`,
    });
  });

  it('names a failure of the network', async () => {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    nock(API).get('/v1/runs/exec_1').replyWithError(reset);
    expect(await failure(fetchRunFrom(options()))).toMatchObject({
      status: null,
      message: `GET ${API}/v1/runs/exec_1 must respond, got ECONNRESET. Check baseUrl and the network.`,
    });
  });
});

describe('fetchRunFrom, over a socket', () => {
  it('gives up after timeoutMilliseconds, the body included', async () => {
    const clock = virtualClock();
    const baseUrl = await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"id":');
    });
    const fetchRun = fetchRunFrom(options({ baseUrl, clock, timeoutMilliseconds: 500 }));
    const failed = failure(fetchRun);
    await clock.advance(500);
    expect(await failed).toMatchObject({
      status: null,
      message:
        `GET ${baseUrl}/v1/runs/exec_1 must respond within 500 ms, got no complete response. ` +
        'Set timeoutMilliseconds for a slower API.',
    });
  });

  it('ends the request and rejects with the reason when the signal is aborted', async () => {
    const deadline = new AbortController();
    const reason = new Error('the time of the handler is over');
    let closed: Promise<unknown> = Promise.resolve();
    const baseUrl = await listen((request) => {
      closed = once(request.socket, 'close');
      deadline.abort(reason);
    });
    await expect(read(fetchRunFrom(options({ baseUrl })), deadline.signal)).rejects.toBe(reason);
    await closed;
  });

  it('does not send the key to the target of a redirect', async () => {
    const requests: unknown[] = [];
    const other = await listen((request, response) => {
      requests.push(request.headers);
      response.end('{}');
    });
    const baseUrl = await listen((_request, response) => {
      response.writeHead(307, { location: `${other}/v1/runs/exec_1` }).end();
    });
    const { status } = await failure(fetchRunFrom(options({ baseUrl })));
    expect(status).toBe(307);
    expect(requests).toEqual([]);
  });

  it('names a refused connection', async () => {
    const baseUrl = `http://127.0.0.1:${await refusingPort()}`;
    const { status, message } = await failure(fetchRunFrom(options({ baseUrl })));
    expect(status).toBeNull();
    expect(message).toContain('got ECONNREFUSED.');
  });
});

describe('the options of fetchRunFrom', () => {
  it('use the fetch that is passed', async () => {
    const fetch = async () => Response.json(RUN);
    expect(await read(fetchRunFrom(options({ fetch })))).toEqual(RUN);
  });

  const aUrl =
    'baseUrl must be an http or https URL such as https://api.example.com, got another value.';
  const bareUrl =
    'baseUrl must have no user, password, query or fragment, got a URL with one. Pass the key as key.';
  const aKey =
    'key must be an API key of visible ASCII characters without whitespace, got another value. Pass the ' +
    'key alone, without "Bearer".';
  it.each([
    [{ baseUrl: '' }, aUrl],
    [{ baseUrl: 'api.example.com' }, aUrl],
    [{ baseUrl: 'ftp://api.example.com' }, aUrl],
    [{ baseUrl: `https://user:${KEY}@api.example.com` }, bareUrl],
    [{ baseUrl: `https://api.example.com?key=${KEY}` }, bareUrl],
    [{ baseUrl: 'https://api.example.com#v1' }, bareUrl],
    [{ key: '' }, aKey],
    [{ key: `Bearer ${KEY}` }, aKey],
    [{ key: `${KEY}\n` }, aKey],
    [{ timeoutMilliseconds: 0 }, 'timeoutMilliseconds must be a positive integer, got 0.'],
  ])('refuse %j', (more, message) => {
    expect(() => fetchRunFrom(options(more))).toThrow(new TypeError(message));
  });

  it('refuse a misspelt name', () => {
    const misspelt = { ...options(), timeoutMiliseconds: 5 };
    expect(() => fetchRunFrom(misspelt)).toThrow(
      new TypeError('Unknown option "timeoutMiliseconds". Did you mean timeoutMilliseconds?'),
    );
  });
});
