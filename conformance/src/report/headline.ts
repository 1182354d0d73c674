import type { Outcome } from '../verdict/verdict.ts';
import type { CheckReport } from './model.ts';

/** The run in one line: the outcome, then what limits it. */
export function headlineOf(
  outcome: Outcome,
  checks: readonly CheckReport[],
  unreachable: { readonly url: string } | null,
  suiteErrors: number,
): string {
  if (unreachable !== null) return `unreachable: no usable response from ${unreachable.url}`;
  const of = (verdict: string): number =>
    checks.filter((check) => check.verdict === verdict).length;
  const notes = [
    note(of('fail'), 'must is violated', 'musts are violated'),
    note(of('could-not-run'), 'check could not run', 'checks could not run'),
    note(of('inconclusive'), 'check is inconclusive', 'checks are inconclusive'),
    note(of('harness-error'), 'check has an error of the suite', 'checks have errors of the suite'),
    note(
      suiteErrors,
      'error of the suite outside its checks',
      'errors of the suite outside its checks',
    ),
    note(of('advice'), 'should is not followed', 'shoulds are not followed'),
    ...lockNotes(checks),
  ].filter((text) => text !== null);
  return [outcome === 'conformant' ? conformant(checks) : words(outcome), notes.join('; ')]
    .filter((text) => text !== '')
    .join(': ');
}

function conformant(checks: readonly CheckReport[]): string {
  const wrote = checks.some(
    ({ side, access, verdict }) =>
      side !== 'receiver' && access !== 'read' && verdict !== 'not-applicable',
  );
  const locked = checks.some((check) => check.locked === true);
  return locked && !wrote ? 'conformant, read-only' : 'conformant';
}

function lockNotes(checks: readonly CheckReport[]): (string | null)[] {
  return ['--allow-writes', '--allow-deletes'].map((flag) => {
    const count = checks.filter(
      ({ locked, message }) => locked === true && message.endsWith(flag),
    ).length;
    return note(count, `check needs ${flag}`, `checks need ${flag}`);
  });
}

function note(count: number, one: string, many: string): string | null {
  if (count === 0) return null;
  return `${count} ${count === 1 ? one : many}`;
}

function words(outcome: Outcome): string {
  return outcome.replace('-', ' ');
}
