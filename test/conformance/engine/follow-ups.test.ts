import { checks } from '@hookproof/conformance';
import { expect, test } from 'vitest';

import { foldFollowUps } from '../../../conformance/src/engine/follow-ups.ts';
import type { HttpExchange } from '../../../conformance/src/http/exchange.ts';
import type { Finding } from '../../../conformance/src/verdict/findings.ts';

const USAGE = 'GET https://api.example/v1/runs/run_1/usage';
const INBOX = 'GET https://api.example/v1/dataset-review-requests?limit=100';
const ENVELOPE = 'a body that is not JSON';

function exchange(line: string, status: number): HttpExchange {
  const [method = '', url = ''] = line.split(' ');
  return {
    sentBy: 'suite',
    request: { method, url, headers: [], body: null },
    response: { status, headers: [], body: null },
  };
}

function violation(line: string, status: number, actual = `status ${status}`): Finding {
  const detail = { expected: 'another one', actual, exchange: exchange(line, status) };
  return { kind: 'violation', detail, confirmed: 2, steps: [] };
}

function open(line: string, status: number, kind: 'inconclusive' | 'could-not-run'): Finding {
  const message = 'Cannot judge: the valid request fails.';
  return kind === 'inconclusive'
    ? { kind, message, exchange: exchange(line, status) }
    : { kind, message, remedies: [], exchange: exchange(line, status) };
}

function reportedBy(check: string): Finding {
  return { kind: 'inconclusive', message: 'Cannot judge: the list is no page.', reportedBy: check };
}

/** The messages of what could not run, by the ids of the checks. */
function folded(findings: Readonly<Record<string, Finding>>): Readonly<Record<string, string>> {
  const results = Object.entries(findings).map(([id, finding]) => {
    const check = checks.find((one) => one.id === id);
    if (check === undefined) throw new Error(`no check is called ${id}`);
    return { check, finding, durationMilliseconds: 1 };
  });
  return Object.fromEntries(
    foldFollowUps(results).flatMap(({ check, finding }) =>
      finding.kind === 'could-not-run' || finding.kind === 'inconclusive'
        ? [[check.id, finding.message]]
        : [],
    ),
  );
}

test('an operation that is missing is reported once', () => {
  const refused = 'GET /v1/runs/{id}/usage gets 404 for a valid request: see api.operation.usage';
  expect(
    folded({
      'api.operation.usage': violation(USAGE, 404),
      'api.key-required.usage': open(USAGE, 404, 'inconclusive'),
      'api.response.usage': violation(USAGE, 404),
      // Another status, and another operation, have a cause of their own.
      'api.unknown-id.usage': violation(USAGE, 500),
      'api.inbox.status-200': violation(INBOX, 404),
    }),
  ).toEqual({ 'api.key-required.usage': refused, 'api.response.usage': refused });
});

test('an operation whose fixture is gone accuses nobody', () => {
  expect(
    folded({
      'api.operation.usage': open(USAGE, 404, 'could-not-run'),
      'api.response.usage': violation(USAGE, 404),
    }),
  ).toEqual({
    'api.operation.usage': 'Cannot judge: the valid request fails.',
    'api.response.usage':
      'GET /v1/runs/{id}/usage gets 404 for a valid request: see api.operation.usage',
  });
});

test('a key that lacks a scope is reported once', () => {
  const lacking =
    'GET /v1/runs/{id}/usage gets 403 for a valid request: see api.wildcard-key.reads';
  expect(
    folded({
      'api.wildcard-key.reads': violation(INBOX, 403),
      'api.operation.usage': open(USAGE, 403, 'could-not-run'),
      'api.response.usage': open(USAGE, 403, 'could-not-run'),
    }),
  ).toEqual({ 'api.operation.usage': lacking, 'api.response.usage': lacking });
});

test('a check that names the one that reports the cause refers to it, and to the cause of that', () => {
  const missing =
    'GET /v1/dataset-review-requests gets 404 for a valid request: see api.operation.inbox';
  expect(
    folded({
      'api.operation.inbox': violation(INBOX, 404),
      'api.response.inbox': violation(INBOX, 404),
      'api.inbox.pages': reportedBy('api.response.inbox'),
    }),
  ).toEqual({ 'api.response.inbox': missing, 'api.inbox.pages': missing });
});

test('a check whose cause no other check reports says where to look', () => {
  expect(folded({ 'api.inbox.pages': reportedBy('api.response.inbox') })).toEqual({
    'api.inbox.pages': 'Cannot judge: the list is no page. See the check api.response.inbox.',
  });
});

test('a fault of every error is reported once, and not when one error is without it', () => {
  const findings = {
    'api.envelope.inbox': violation(INBOX, 401, ENVELOPE),
    'api.envelope.usage': violation(USAGE, 401, ENVELOPE),
    'api.envelope.export': violation(USAGE, 401, ENVELOPE),
    'api.status-code.internal-error': violation(INBOX, 500, ENVELOPE),
  };
  const reference = `the errors of all operations have the same fault (${ENVELOPE}): see api.envelope.inbox`;
  expect(folded(findings)).toEqual({
    'api.envelope.usage': reference,
    'api.envelope.export': reference,
    'api.status-code.internal-error': reference,
  });
  expect(folded({ ...findings, 'api.envelope.file': { kind: 'pass' } })).toEqual({});
});
