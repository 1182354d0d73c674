import type { CheckReport, Report } from '@hookproof/conformance';

/** A passing check, with whatever a test is about in place of it. */
export function sampleCheck(more: Partial<CheckReport> = {}): CheckReport {
  return {
    id: 'api.sample.check',
    requirement: 'sample.rule',
    requirements: ['sample.rule'],
    side: 'api',
    level: 'must',
    verdict: 'pass',
    message: 'does what it should',
    title: 'does what it should',
    access: 'read',
    clause: 'Limits',
    rule: 'It does what it should.',
    durationMilliseconds: 3,
    ...more,
  };
}

/** A confirmed red whose every text is `text`. */
export function sampleRed(text: string): CheckReport {
  return sampleCheck({
    id: 'api.sample.red',
    verdict: 'fail',
    message: text,
    title: text,
    clause: text,
    rule: text,
    violation: {
      expected: text,
      actual: text,
      exchange: {
        sentBy: 'suite',
        request: { method: 'GET', url: text, headers: [[text, text]], body: text },
        response: { status: 200, headers: [[text, text]], body: text },
      },
      control: null,
      attempts: [],
      diagnosis: { cause: text, fix: text },
      reproduce: { commands: [text], note: null },
      command: text,
      confirmed: 2,
    },
  });
}

/** A report around some checks. */
export function sampleReport(checks: readonly CheckReport[], more: Partial<Report> = {}): Report {
  return {
    suite: { name: '@hookproof/conformance', version: '0.1.0' },
    outcome: 'conformant',
    exitCode: 0,
    headline: 'conformant',
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMilliseconds: 1200,
    target: {
      baseUrl: 'https://api.example',
      appUrl: null,
      controlUrl: null,
      receiverUrl: null,
      senderDriver: null,
      identity: null,
      clockOffsetMilliseconds: null,
      effectMilliseconds: null,
    },
    sides: ['api'],
    unreachable: null,
    suiteErrors: [],
    counts: {
      pass: 0,
      fail: 0,
      known: 0,
      advice: 0,
      info: 0,
      'not-applicable': 0,
      locked: 0,
      'could-not-run': 0,
      inconclusive: 0,
      'harness-error': 0,
    },
    leftBehind: [],
    notPutBack: 0,
    wire: { requests: 9, writes: 0, deliveries: 0, controlRequests: 0, bytesSent: 0 },
    baseline: null,
    facts: [],
    requirements: checks.map(({ requirement, side, level, clause, rule, verdict, id }) => ({
      id: requirement,
      side,
      level,
      clause,
      rule,
      verdict,
      checks: [id],
    })),
    checks,
    ...more,
  };
}
