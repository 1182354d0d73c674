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

/** Shows the attempts of a command: each response to an event once, and each explanation once. */
export interface AttemptReport {
  show(attempt: AttemptRow): void;
  /** Shows how often the failures repeated. What was accepted again is in the result of the command. */
  end(): void;
}

interface AttemptReportOptions {
  readonly screen: Screen;
  /** Whether the lines name the endpoint. */
  readonly isOfMany: boolean;
  /** Returns the lines below an attempt. Default: why it failed, and the fix. */
  readonly explain?: (attempt: AttemptRow) => readonly string[];
}

interface Failure {
  readonly text: string;
  readonly more: number;
}

/** Returns a report to a screen. */
export function attemptReport({
  screen,
  isOfMany,
  explain = explanationLines,
}: AttemptReportOptions): AttemptReport {
  const shown = new Set<string>();
  const failures = new Map<string, Failure>();
  const fixes = new Set<string>();
  const showWhole = (attempt: AttemptRow): void => {
    screen.print(attemptLine(attempt, screen.paint, isOfMany));
    const lines = explain(attempt);
    const fix = lines.at(-1) ?? '';
    if (fixes.has(fix)) return;
    fixes.add(fix);
    for (const line of lines) screen.print(`    ${screen.paint.dim(line)}`);
  };
  const count = (attempt: AttemptRow): void => {
    const host = isOfMany ? `  from ${hostOf(attempt.url) ?? 'deleted endpoint'}` : '';
    const text = failureOf(attempt) + host;
    const failure = { text, more: (failures.get(text)?.more ?? 0) + 1 };
    failures.set(text, failure);
    // Beside a pipe, a row that is rewritten would be written into the lines of its reader.
    if (screen.columns < Infinity) screen.progress(moreLine(failure));
  };
  return {
    show(attempt) {
      const kind = kindOf(attempt);
      if (!shown.has(kind)) showWhole(attempt);
      else if (!isAccepted(attempt)) count(attempt);
      shown.add(kind);
    },
    end() {
      for (const failure of failures.values()) screen.print(moreLine(failure));
    },
  };
}

/** Returns what the rows that look alike have in common: a retry that fails in the same way has no row of its own. */
function kindOf(attempt: AttemptRow): string {
  const { url, type, runStatus, number, deliveryFault } = attempt;
  const kind = [url, type, runStatus, deliveryFault, failureOf(attempt)];
  if (isAccepted(attempt)) kind.push(String(number), ...saidPart(attempt));
  return kind.join(' ');
}

function moreLine({ text, more }: Failure): string {
  return `  → ${more} more with ${text}`;
}
