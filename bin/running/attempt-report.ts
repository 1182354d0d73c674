import type { AttemptRow } from '@hookproof/spec/control';

import type { Screen } from '../command-line/screen.ts';
import {
  attemptLine,
  explanationLines,
  failureOf,
  hostOf,
  isAccepted,
  saidPart,
} from './attempt-line.ts';

/** Below the name of the event. */
const INDENT = 4;

/** Shows the attempts of a command: each kind once, and each explanation once. */
export interface AttemptReport {
  show(attempt: AttemptRow): void;
  /** Shows how often the failures repeated. What was accepted again is in the result of the command. */
  end(): void;
}

export interface AttemptReportOptions {
  readonly screen: Screen;
  /** Whether the lines name the endpoint. */
  readonly isOfMany: boolean;
  /** Returns the lines below an attempt. Default: why it failed, and the fix. */
  readonly explain?: (attempt: AttemptRow) => readonly string[];
}

interface Failure {
  readonly text: string;
  more: number;
}

/** Returns a report to a screen. */
export function attemptReport({
  screen,
  isOfMany,
  explain = explanationLines,
}: AttemptReportOptions): AttemptReport {
  const accepted = new Set<string>();
  const failures = new Map<string, Failure>();
  const fixes = new Set<string>();
  const showWhole = (attempt: AttemptRow): void => {
    screen.print(attemptLine(attempt, screen, isOfMany));
    const lines = explain(attempt);
    const fix = lines.at(-1) ?? '';
    if (fixes.has(fix)) return;
    fixes.add(fix);
    for (const line of lines) screen.printWords(`    ${screen.paint.dim(line)}`, INDENT);
  };
  const countFailure = (attempt: AttemptRow): void => {
    const key = `${attempt.url} ${failureOf(attempt)} ${attempt.deliveryFault}`;
    const failure = failures.get(key);
    if (failure === undefined) {
      const host = isOfMany ? `  from ${hostOf(attempt.url) ?? 'deleted endpoint'}` : '';
      failures.set(key, { text: `${failureOf(attempt)}${host}`, more: 0 });
      return showWhole(attempt);
    }
    failure.more += 1;
    screen.progress(moreLine(failure));
  };
  return {
    show(attempt) {
      if (!isAccepted(attempt)) return countFailure(attempt);
      const { url, type, runStatus, status, number, deliveryFault } = attempt;
      const kind = [url, type, runStatus, status, number, deliveryFault, ...saidPart(attempt)];
      const key = kind.join(' ');
      if (accepted.has(key)) return;
      accepted.add(key);
      showWhole(attempt);
    },
    end() {
      for (const failure of failures.values()) {
        if (failure.more > 0) screen.print(moreLine(failure));
        failure.more = 0;
      }
    },
  };
}

function moreLine({ text, more }: Failure): string {
  return `  → ${more} more with ${text}`;
}
