import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Step, StepPerformer, StepResult } from '@hookproof/conformance';

import { resultOf } from './output.ts';

/** The exit code of a command for a step that is impossible in its deployment: EX_UNAVAILABLE of sysexits.h. */
const EXIT_CODE_CANNOT = 69;
const TIMEOUT_MILLISECONDS = 60_000;
const SHOWN_CHARACTERS = 500;

/**
 * Runs a shell command for each step, with what is wanted in its environment. It is killed after a minute, or when nobody
 * waits for it any longer, with its children.
 */
export function performByCommand(command: string): StepPerformer {
  const perform: StepPerformer['perform'] = async (step, signal) => {
    const result = await performStep(command, step, signal);
    if (result.kind === 'done') return result;
    return { ...result, message: withoutWordsOf(command, result.message) };
  };
  return { person: false, perform };
}

/** Shorter ones are no secrets. */
const MIN_WORD_LENGTH = 8;

/** A shell quotes the command in its errors, and a report must not: keys may stand in it. */
function withoutWordsOf(command: string, message: string): string {
  const words = command
    .split(/[\s'"`;|&()<>=]+/)
    .filter(({ length }) => length >= MIN_WORD_LENGTH)
    .toSorted((one, other) => other.length - one.length);
  return words.reduce((shown, word) => shown.replaceAll(word, '[part of the command]'), message);
}

async function performStep(command: string, step: Step, signal?: AbortSignal): Promise<StepResult> {
  const child = spawn(command, {
    shell: true,
    // A group of its own, so that the signal reaches the children of the shell.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environmentOf(step) },
  });
  const end = (): void => killGroup(child);
  process.once('exit', end);
  signal?.addEventListener('abort', end);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    end();
  }, TIMEOUT_MILLISECONDS);
  try {
    const [output, errors, [code, endedBy]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    const [last = ''] = (errors.trim() || output.trim()).split('\n').slice(-1);
    const shown = last.slice(-SHOWN_CHARACTERS);
    if (signal?.aborted === true) return { kind: 'failed', message: 'interrupted' };
    if (late) return { kind: 'failed', message: `no end within ${TIMEOUT_MILLISECONDS / 1000} s` };
    if (code === EXIT_CODE_CANNOT) {
      return { kind: 'cannot', message: shown === '' ? 'the command cannot do this step' : shown };
    }
    if (code === 0) return resultOf(output);
    return {
      kind: 'failed',
      message: `exit ${code ?? endedBy}${shown === '' ? '' : `: ${shown}`}`,
    };
  } finally {
    clearTimeout(timer);
    process.off('exit', end);
    signal?.removeEventListener('abort', end);
  }
}

/** What a step asks for, as variables. Absent parts are absent variables. */
export function environmentOf(step: Step): Record<string, string> {
  const variables = {
    HOOKPROOF_STEP: step.name,
    HOOKPROOF_URL: step.url,
    HOOKPROOF_ENDPOINT_ID: step.endpointId,
    HOOKPROOF_HEADERS: step.headers && JSON.stringify(step.headers),
    HOOKPROOF_RUN_TYPE: step.run?.type,
    HOOKPROOF_RUN_ORIGIN: step.run?.origin,
    HOOKPROOF_RUN_ENDING: step.run?.ending ?? undefined,
    HOOKPROOF_RUN_ID: step.runId,
    HOOKPROOF_STATUS: step.status,
    HOOKPROOF_EVENT_ID: step.eventId,
  };
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined && value !== '') given[name] = value;
  }
  return given;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended in the meantime.
  }
}
