import { AFTER_TIME } from '../../command-line/screen.ts';
import type { Screen } from '../../command-line/screen.ts';
import { arrivalLines, arrivalRow, fixOf, outcomeLine, outcomeRow } from './lines.ts';
import { KEYS } from './controls.ts';
import type { SessionOutput } from './session.ts';

/** What is known when the port is open. */
export interface Ready {
  readonly url: string;
  readonly forwardTo: string | undefined;
  /** The status of each response without an app; undefined for one by the verdict. */
  readonly respond: number | undefined;
  /** The number of secrets. */
  readonly secrets: number;
  readonly save: string | undefined;
  readonly hasKeys: boolean;
}

/** Everything that `listen` prints. */
interface ListenOutput extends SessionOutput {
  /** Called once, when the port is open. */
  readonly ready: (ready: Ready, problem: string | null) => void;
  readonly note: (line: string) => void;
}

/** Returns the output for a person, or lines of JSON. */
export function listenOutput(isJson: boolean, screen: Screen): ListenOutput {
  return isJson ? jsonOutput(screen) : lineOutput(screen);
}

function jsonOutput(screen: Screen): ListenOutput {
  const row = (value: object): void => screen.print(JSON.stringify(value));
  return {
    ready: ({ url, forwardTo, secrets, save }, problem) =>
      row({
        event: 'ready',
        url,
        forwardTo: forwardTo ?? null,
        save: save ?? null,
        verifies: secrets > 0,
        app: appState(forwardTo, problem),
      }),
    arrived: (delivery) => row(arrivalRow(delivery)),
    slow: ({ number }, seconds) => row({ event: 'slow', delivery: number, waitsSeconds: seconds }),
    responded: (delivery, outcome) => row(outcomeRow(delivery, outcome)),
    app: (problem) => row({ event: 'app', app: appState('', problem), error: problem }),
    ignored: (problem) => row({ event: 'ignored', problem }),
    note: (text) => row({ event: 'note', text }),
  };
}

function appState(forwardTo: string | undefined, problem: string | null): string | null {
  if (forwardTo === undefined) return null;
  return problem === null ? 'reachable' : 'unreachable';
}

function lineOutput(screen: Screen): ListenOutput {
  const { paint } = screen;
  const print = (line: string): void => screen.print(line);
  let url = '';
  /** What was said about the response before: a burst needs it once. */
  let shownFix: string | null = null;
  const state = (problem: string | null): string =>
    problem === null
      ? `the app at ${url} is reachable`
      : `nothing listens at ${url} (${problem}); the platform gets 502 and tries again`;
  return {
    ready(ready, problem) {
      url = ready.forwardTo ?? '';
      const row = (name: string, value: string): void => print(`  ${name.padEnd(12)}${value}`);
      print(paint.bold('Hookproof listen'));
      row('webhooks at', paint.cyan(ready.url));
      row('forward to', ready.forwardTo ?? ownResponses(ready));
      row('signatures', signaturesText(ready.secrets));
      if (ready.save !== undefined) row('saved in', ready.save);
      if (problem !== null) row('app', paint.red(state(problem)));
      row('state', paint.green('ready, waiting for the first delivery'));
      print(paint.dim(`  ${ready.hasKeys ? KEYS : `kill ${process.pid} stops.`}`));
      print('');
    },
    arrived: (delivery) => arrivalLines(delivery, paint).forEach(print),
    slow: ({ number }, seconds) =>
      print(
        paint.yellow(`  app: no response to delivery ${number} yet, waiting for ${seconds} s more`),
      ),
    responded(delivery, outcome) {
      print(outcomeLine(delivery, outcome, paint));
      const fix = fixOf(delivery, outcome);
      if (fix !== null && fix !== shownFix) print(`${' '.repeat(AFTER_TIME)}${paint.dim(fix)}`);
      shownFix = fix;
    },
    app: (problem) =>
      print((problem === null ? paint.green : paint.red)(`  app: ${state(problem)}`)),
    ignored: (problem) => print(paint.dim(`  note: ${problem}`)),
    note: print,
  };
}

function ownResponses({ respond, secrets }: Ready): string {
  if (respond !== undefined) return `no app: each delivery gets ${respond}`;
  return secrets === 0
    ? 'no app: each delivery gets 204'
    : 'no app: 204 to a valid delivery, 401 to a wrong signature, 425 to a wrong time';
}

function signaturesText(secrets: number): string {
  if (secrets === 0) return 'not verified: add --secret, or set WEBHOOK_SECRET';
  return secrets === 1 ? 'verified with 1 secret' : `verified with ${secrets} secrets`;
}
