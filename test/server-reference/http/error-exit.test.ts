import { createServer } from 'node:http';
import { connect } from 'node:net';

import { describe, expect, onTestFinished, test } from 'vitest';

import { refusal } from '../../../server-reference/src/errors.ts';
import { requestIds } from '../../../server-reference/src/http/request.ts';
import { refuseMalformed } from '../../../server-reference/src/http/server.ts';
import { StoreError } from '../../../server-reference/src/store/store.ts';
import { fieldPath } from '../../../server-reference/src/json.ts';
import { listeningPort } from '../../listening-port.ts';
import { call } from '../contract-client.ts';
import type { ApiResponse } from '../contract-client.ts';
import { openApp } from '../open-app.ts';
import { recordingLogger } from '../store/recording-logger.ts';

/** Calls an operation whose handler throws. */
async function callThrowing(thrown: unknown, logger = recordingLogger()): Promise<ApiResponse> {
  const app = await openApp({
    logger,
    handlers: {
      checkAuth: async () => {
        throw thrown;
      },
    },
  });
  onTestFinished(() => app.close());
  return call(app.listener, { path: '/v1/auth/check', key: app.world.keys.wildcard });
}

describe('the error exit', () => {
  test.each([new Error('password=hunter2 at /srv/secret.ts'), 'a string', undefined, null])(
    'reveals no internals when a route throws %s',
    async (thrown) => {
      const logger = recordingLogger();
      const { status, body, headers } = await callThrowing(thrown, logger);
      expect(status).toBe(500);
      expect(body).toEqual({
        issues: [
          {
            field: '<root>',
            message: 'the server failed to process this request; see its log',
            code: 'internal_error',
            severity: 'error',
          },
        ],
        requestId: headers['x-request-id'],
      });
      expect(logger.lines).toEqual([`error GET /v1/auth/check failed (${body.requestId})`]);
    },
  );

  test('sends an ApiError with its status, issues, hint and headers', async () => {
    const logger = recordingLogger();
    const error = refusal('workflow_name_conflict', 'folderId', 'taken', {
      hint: 'Move it.',
      conflictingWorkflowId: 'wf_1',
      headers: { Allow: 'GET' },
    });
    const { status, body, headers } = await callThrowing(error, logger);
    expect([status, headers['allow']]).toEqual([409, 'GET']);
    expect(body).toMatchObject({ hint: 'Move it.', conflictingWorkflowId: 'wf_1' });
    expect(logger.lines).toEqual([]);
  });
});

test('a write that failed gets 500, and the hint says what became of the change', async () => {
  const { status, body } = await callThrowing(new StoreError('store_write_failed', 'disk full'));
  expect([status, body.issues[0]?.code]).toEqual([500, 'internal_error']);
  expect(body.hint).toContain('may be in the next write');
});

test('a stalled request gets the envelope', async () => {
  const server = createServer({
    headersTimeout: 50,
    requestTimeout: 50,
    connectionsCheckingInterval: 10,
  });
  refuseMalformed(server, requestIds(1, 0));
  const number = await listeningPort(server);
  const text = await new Promise<string>((resolve, reject) => {
    let received = '';
    const socket = connect(number, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x'));
    socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
  expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(text).toContain('the request did not arrive in time');
  expect(text).toMatch(/x-request-id: (req_[0-9a-f-]{36})\r\n[^]*"requestId":"\1"/);
});

test.each([
  ['', [], '<root>'],
  ['', ['title'], 'title'],
  ['/focusFields/0/path', [], 'focusFields[0].path'],
  ['/focusFields/12', ['path'], 'focusFields[12].path'],
  ['/a~1b/c~0d', [], '["a/b"]["c~d"]'],
  ['/x/a b', [], 'x["a b"]'],
])('the pointer %j with %j becomes %s', (pointer, more, expected) => {
  expect(fieldPath(pointer, ...more)).toBe(expected);
});
