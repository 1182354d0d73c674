import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { checks } from '@hookproof/conformance';
import type { Report, Verdict } from '@hookproof/conformance';
import { describe, expect, onTestFinished } from 'vitest';

import { hookproof } from '../bin/hookproof.ts';
import { ROOT } from '../compiled-program.ts';
import { emptyFolder } from '../empty-folder.ts';
import { testWith } from '../services/local-server.ts';

const PROGRAM = join(ROOT, 'test', 'conformance', 'programs', 'python_api.py');

interface Platform {
  readonly url: string;
  readonly key: string;
  readonly fixtures: Readonly<Record<string, string>>;
}

/** Starts the platform in Python, without the operations below a path. */
async function startPlatform(missing: string): Promise<Platform> {
  const env = { ...process.env, MISSING: missing };
  const child = spawn('python3', [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'], env });
  onTestFinished(() => {
    child.stdin.end();
  });
  const { value } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  return JSON.parse(String(value));
}

async function judge(
  { url, key, fixtures }: Platform,
  more: readonly string[] = [],
): Promise<Report> {
  const file = join(emptyFolder(), 'fixtures.json');
  writeFileSync(file, JSON.stringify(fixtures));
  const target = ['--base-url', url, '--app-url', url, '--fixtures', file];
  const { stdout } = await hookproof(
    ['check', ...target, '--allow-writes', '--allow-deletes', '--json', ...more],
    {
      env: { HOOKPROOF_KEY: key },
    },
  );
  return JSON.parse(stdout);
}

function idsWith(report: Report, verdict: Verdict): readonly string[] {
  return report.checks.filter((check) => check.verdict === verdict).map(({ id }) => id);
}

/** What the suite finds in the lists of the platform. */
const FOUND = [
  'draftReviewId',
  'openReviewId',
  'pausedReviewId',
  'closedReviewId',
  'reviewAutomationId',
  'templateId',
  'agentId',
  'agentSlug',
];
/** Its agents have no dataset, it sends every file itself, is never busy, and nobody has told the suite its maximum size. */
const NOT_APPLICABLE = [
  'api.export.agent-alias',
  'api.file-content.redirect',
  'api.status-code.passing-429',
  'api.status-code.passing-503',
  'api.status-code.size-cap',
];

/** The checks that need no more than one key, the given fixtures and what is found. */
function judged({ fixtures }: Platform): readonly string[] {
  const has = new Set([
    'key.main',
    'app',
    ...[...Object.keys(fixtures), ...FOUND].map((name) => `fixture.${name}`),
    ...Object.keys(fixtures).map((name) => `world-or.${name}`),
  ]);
  return (
    checks
      .filter(({ side }) => side === 'api')
      .filter(({ needs }) => needs.every((need) => has.has(need)))
      .map(({ id }) => id)
      .filter((id) => !NOT_APPLICABLE.includes(id))
      // Without a control interface, this one needs a key with the scope ocr:full.
      .filter((id) => id !== 'api.ocr-key.review-update')
  );
}

// The platform is written from the text of the contract alone and shares no code with this project.
// Its verdicts were written down before the suite judged it.
describe('a platform in Python with one key and no control interface', () => {
  testWith('python')('is accused of nothing, and all that one key can show passes', async () => {
    const platform = await startPlatform('');
    const report = await judge(platform);
    const rest = (['fail', 'advice', 'info', 'inconclusive', 'harness-error'] as const).flatMap(
      (verdict) => idsWith(report, verdict),
    );
    expect(rest).toEqual([]);
    expect(idsWith(report, 'pass').toSorted()).toEqual(judged(platform).toSorted());
    expect(idsWith(report, 'not-applicable').toSorted()).toEqual(NOT_APPLICABLE);
    const reasons = report.checks
      .filter(({ verdict }) => verdict === 'could-not-run')
      .flatMap(({ message }) => message.split('; '));
    expect(
      [...new Set(reasons)].filter((reason) => !reason.startsWith('no fixture ')).toSorted(),
    ).toEqual([
      'no control interface',
      'no ocr key',
      'no otherTenant key',
      'no reviewer key',
      'no workflow key',
    ]);
    expect({ outcome: report.outcome, leftBehind: report.leftBehind }).toEqual({
      outcome: 'incomplete',
      leftBehind: [],
    });
  });

  testWith('python')('without the usage of runs has this one failure', async () => {
    const platform = await startPlatform('/v1/runs/run-1/usage');
    const report = await judge(platform);
    expect(idsWith(report, 'fail')).toEqual(['api.operation.usage']);
    // Every other check of that operation refers to it.
    const below = idsWith(report, 'could-not-run').filter((id) => judged(platform).includes(id));
    expect(below.filter((id) => !/usage/.test(id))).toEqual([]);
    expect(idsWith(report, 'inconclusive')).toEqual([]);
    const passed = judged(platform).filter((id) => !below.includes(id));
    expect(idsWith(report, 'pass').toSorted()).toEqual(
      passed.filter((id) => id !== 'api.operation.usage').toSorted(),
    );
  });

  testWith('python')('with copies below the app address alone gets one advice', async () => {
    const platform = await startPlatform('/v1/runs/run-2/feedback');
    const report = await judge(platform, ['--only', 'api.operation,api.feedback-copy']);
    expect(idsWith(report, 'advice')).toEqual(['api.feedback-copy.app-address']);
    expect(idsWith(report, 'fail')).toEqual([]);
    expect(idsWith(report, 'pass')).toContain('api.operation.feedback');
  });

  testWith('python')('is not accused of what an old fixtures file names', async () => {
    const platform = await startPlatform('');
    const old = {
      agentSlug: 'was-deleted',
      openReviewId: 'was-deleted',
      closedReviewId: 'was-deleted',
      runId: 'was-deleted',
      fileId: 'was-deleted',
      experimentId: 'was-deleted',
      uploadId: 'was-deleted',
    };
    const report = await judge({ ...platform, fixtures: { ...platform.fixtures, ...old } });
    expect(idsWith(report, 'fail')).toEqual([]);
    expect(idsWith(report, 'inconclusive')).toEqual([]);
    const reasons = new Set(
      report.checks
        .filter(({ verdict }) => verdict === 'could-not-run')
        .flatMap(({ message }) => message.split('; '))
        .filter((message) => message.includes('was-deleted')),
    );
    expect(
      [...reasons].map((reason) => reason.replace(/ of the fixtures file.*/, '')).toSorted(),
    ).toEqual(
      Object.keys(old)
        .map((name) => `the ${name}`)
        .toSorted(),
    );
  });
});
