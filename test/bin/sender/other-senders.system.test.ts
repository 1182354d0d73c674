import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import type { Report } from '@hookproof/conformance';
import { expect, onTestFinished } from 'vitest';

import { ROOT } from '../../compiled-program.ts';
import { testWith } from '../../services/local-server.ts';
import { hookproofProcess, SUITE_RUN } from '../hookproof.ts';

const PROGRAM = join(ROOT, 'test', 'bin', 'sender', 'programs', 'python_sender.py');

const CHECK = ['check', '--sender', '--allow-writes', '--json', '--retry-window', '2'];

/** Starts the sender in Python; returns the port of what performs its steps. */
async function startSender(): Promise<string> {
  const child = spawn('python3', [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.stdin.end();
  });
  const { value } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  return String(value);
}

testWith('python')(
  'a sender in Python that retries after a minute is accused of nothing',
  SUITE_RUN,
  async () => {
    const port = await startSender();
    const { stdout, code } = await hookproofProcess(
      [...CHECK, '--trigger', `python3 '${PROGRAM}'`],
      { env: { SENDER_PORT: port } },
    );
    const report: Report = JSON.parse(stdout);
    const of = (wanted: string): string[] =>
      report.checks.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
    expect({ fail: of('fail'), advice: of('advice'), info: of('info') }).toEqual({
      fail: [],
      advice: [],
      info: [],
    });
    // What only a retry can show.
    const retries = of('inconclusive');
    expect(retries).toEqual(
      expect.arrayContaining(['sender.retry.on-503', 'sender.test-event.retried']),
    );
    expect(
      retries.filter(
        (id) => !/^sender\.(retry\.|test-event\.retried|run-created\.initial-snapshot)/.test(id),
      ),
    ).toEqual([]);
    expect(of('pass').length).toBeGreaterThan(40);
    expect(report.target.senderDriver).toBe('--trigger');
    expect(code).toBe(3);
  },
);
