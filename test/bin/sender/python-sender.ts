import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import type { Report } from '@hookproof/conformance';
import { onTestFinished } from 'vitest';

import { ROOT } from '../../compiled-program.ts';
import { hookproof } from '../hookproof.ts';

const PROGRAM = join(ROOT, 'test', 'bin', 'sender', 'programs', 'python_sender.py');
/** A process of Python for each step would take most of the time. */
const STEP = 'env | curl -sSf --data-binary @- "http://127.0.0.1:$SENDER_PORT" || exit 69';
const CHECK = ['check', '--sender', '--allow-writes', '--json', '--step-command', STEP];

/** The report on a sender in Python, by its steps. Default: it retries after an hour, when no run lasts as long. */
export async function judgePythonSender(
  args: readonly string[],
  { firstRetrySeconds = 3_600 }: { readonly firstRetrySeconds?: number } = {},
): Promise<{ readonly report: Report; readonly code: number | null }> {
  const child = spawn('python3', [PROGRAM], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, FIRST_RETRY_SECONDS: String(firstRetrySeconds) },
  });
  onTestFinished(() => {
    child.stdin.end();
  });
  const { value } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  const env = { SENDER_PORT: String(value) };
  const { stdout, code } = await hookproof([...CHECK, ...args], { env });
  return { report: JSON.parse(stdout), code };
}

/** The ids of the checks with a verdict. */
export function idsOf({ checks }: Report, wanted: string): readonly string[] {
  return checks.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
}
