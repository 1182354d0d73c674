import type { CheckReport, Remedy, Report, ViolationReport } from '@hookproof/conformance';

import { sampleCheck, sampleReport } from './sample-report.ts';

const URL_OF_RUNS = 'https://api.example.com/v1/runs';

/** A violation, which states only what differs from the simplest one. */
function red(check: Partial<CheckReport>, violation: Partial<ViolationReport> = {}): CheckReport {
  const all: ViolationReport = {
    expected: 'status 400',
    actual: 'status 200',
    exchange: null,
    control: null,
    attempts: [],
    diagnosis: { cause: null, fix: null },
    reproduce: { commands: [`curl ${URL_OF_RUNS}`], note: null },
    command: `npx hookproof check --base-url https://api.example.com --only ${check.id}`,
    confirmed: 1,
    ...violation,
  };
  const message = `expected ${all.expected}, got ${all.actual}`;
  return sampleCheck({ verdict: 'fail', message, ...check, violation: all });
}

/** A request with a limit, and a response that has it too. */
function runsWith(limit: number): ViolationReport['exchange'] {
  const headers = [['authorization', 'Bearer $HOOKPROOF_KEY']] as const;
  const url = `${URL_OF_RUNS}?limit=${limit}`;
  const body = JSON.stringify({ limit, total: 3 });
  return {
    sentBy: 'suite',
    request: { method: 'GET', url, headers, body: null },
    response: { status: 200, headers: [['Date', String(limit)]], body },
  };
}

function lacking(id: string, message: string, ...remedies: readonly Remedy[]): CheckReport {
  return sampleCheck({ id, verdict: 'could-not-run', message, remedies });
}

function fixture(need: string): Remedy {
  return { text: `--fixtures FILE with ${need}`, need, inFixtures: true };
}

const KEY: Remedy = { text: '--key KEY with a valid key', need: 'key' };
const LIMITS = { requirement: 'limits.page-size', rule: 'A page has at most 100 entries.' };
const OPEN = { side: 'sender', verdict: 'inconclusive', message: 'no delivery came' } as const;

/** Each verdict, and all that a report has beside its checks. */
export const MANY: Report = sampleReport(
  [
    red(
      { id: 'api.auth', title: 'a key is checked', verdict: 'advice', level: 'should' },
      { actual: `no response from https://api.example.com/${'x'.repeat(60)} within ten seconds` },
    ),
    red(
      { id: 'api.errors.form', title: 'an error has the documented form', requirement: 'errors' },
      {
        actual: `{"issues":["limit"],"requestId":"a1b2c3d4","items":3,"text":"${'a'.repeat(70)}"}`,
      },
    ),
    red(
      { ...LIMITS, id: 'api.limits.runs', title: 'a limit of 101 runs is refused' },
      {
        exchange: runsWith(101),
        control: runsWith(100),
        diagnosis: {
          cause: 'The limit is cut.',
          fix: 'Refuse a limit that is not from 1 to 100, and say in the response what is wrong.',
        },
        reproduce: {
          commands: [
            'export HOOKPROOF_KEY=…',
            `curl -H "authorization: Bearer $HOOKPROOF_KEY" '${URL_OF_RUNS}?limit=101'`,
          ],
          note: 'With any valid key:',
        },
        confirmed: 2,
      },
    ),
    red({ ...LIMITS, id: 'api.limits.inbox', title: 'a limit of 101 entries is refused' }),
    red({ ...LIMITS, id: 'api.limits.events', title: 'a limit of 101 events is refused' }),
    red({
      id: 'api.order',
      verdict: 'known',
      known: { reason: 'the gateway sorts', owner: 'team-a', expires: '2026-06-30' },
    }),
    sampleCheck({ id: 'api.limits.largest', durationMilliseconds: 2_000 }),
    sampleCheck({ id: 'api.runs.files', verdict: 'not-applicable' }),
    sampleCheck({ id: 'api.runs.delete', verdict: 'locked', message: 'add --allow-deletes' }),
    lacking('api.scope', 'no such key; refused with 401', fixture('keys.ocr'), KEY),
    lacking('api.key', 'the API refused the key with 401', KEY),
    lacking('api.files.get', 'no file', fixture('keys.ocr'), fixture('file')),
    lacking('api.files.list', 'no file', fixture('file')),
    lacking('api.world', 'no ids', ...['a', 'b', 'c', 'd', 'e', 'f'].map(fixture)),
    ...['api.errors.form', 'api.limits.runs'].map((check) =>
      lacking(`${check}-again`, `${check} fails`, { text: `make ${check} pass`, check }),
    ),
    red(
      {
        id: 'sender.retry',
        side: 'sender',
        title: 'a refused delivery is sent again after each interval',
        message: 'the last: expected status 400, got status 200 for the fifth',
      },
      {
        attempts: ['100', '160', '460', '1060', null].map((webhookTimestamp) => {
          return { seconds: 0, webhookTimestamp, response: '503' };
        }),
      },
    ),
    red(
      { id: 'sender.interval', side: 'sender', verdict: 'info', level: 'may', requirement: 'time' },
      {
        attempts: [
          { seconds: 0, webhookTimestamp: '1800000000', response: '503' },
          { seconds: 31.2, webhookTimestamp: null, response: '204' },
        ],
      },
    ),
    sampleCheck({ ...OPEN, id: 'sender.first' }),
    sampleCheck({ ...OPEN, id: 'sender.second' }),
    sampleCheck({ id: 'receiver.a', side: 'receiver', verdict: 'harness-error', message: 'x.y' }),
  ],
  {
    outcome: 'violated',
    exitCode: 1,
    headline: 'violated: 5 checks failed; 1 known failure; 7 checks could not run; 1 advice',
    target: {
      baseUrl: 'https://api.example.com',
      appUrl: 'https://app.example.com',
      controlUrl: 'https://control.example.com',
      receiverUrl: 'https://hooks.example.com',
      senderDriver: 'control interface https://control.example.com',
      identity: {
        tenantId: 'tenant-1',
        tenantSlug: 'acme',
        userId: 'user-1',
        keyId: 'key-1',
        scope: ['runs:read'],
        wildcardGranted: true,
      },
      clockOffsetMilliseconds: -120_000,
      effectMilliseconds: 1_520,
    },
    suiteErrors: ['the listener ended'],
    leftBehind: ['Automation a-1 has another name.'],
    wire: { requests: 560, writes: 12, deliveries: 3, controlRequests: 8, bytesSent: 1_131_293 },
    baseline: {
      known: 1,
      problems: [
        { check: 'api.limits.largest', kind: 'stale', message: 'api.limits.largest passes now.' },
      ],
    },
  },
);

const FEW_IDS = new Set([
  'api.limits.runs',
  'api.limits.largest',
  'api.key',
  'api.order',
  'sender.retry',
  'sender.first',
]);

/** The checks of that report that show most, where each takes many lines. */
export const FEW: Report = {
  ...MANY,
  headline: 'violated: 2 checks failed; 1 known failure',
  checks: MANY.checks.filter(({ id }) => FEW_IDS.has(id)),
};

/** Sides with a line each, and one of each thing that is counted. */
export const CONFORMANT: Report = sampleReport(
  (['api', 'sender', 'receiver'] as const).map((side) => sampleCheck({ id: `${side}.a`, side })),
  { wire: { requests: 1, writes: 1, deliveries: 1, controlRequests: 0, bytesSent: 12_480 } },
);

/** A run that ended before its checks. */
export const UNREACHABLE: Report = sampleReport([lacking('api.a', 'not reached', KEY)], {
  outcome: 'no-result',
  exitCode: 4,
  headline: 'unreachable: no usable response from https://api.example',
  unreachable: { url: 'https://api.example', message: 'no response: refused' },
});
