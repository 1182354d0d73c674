import { Argument } from 'commander';
import type { Command } from 'commander';

import { didYouMean } from '../../command-line/did-you-mean.ts';
import { onClosedOutput } from '../../command-line/closed-output.ts';
import { UsageError } from '../../command-line/errors.ts';
import { openScreen } from '../../command-line/screen.ts';
import type { Screen } from '../../command-line/screen.ts';
import { watchAttempts } from '../../running/watch-attempts.ts';
import { listLines, resultJson, resultLines, triggerReport } from './report.ts';
import { triggerOptions } from './options.ts';
import type { TriggerOptions } from './options.ts';
import { needsPayloads, roundOf } from './plan.ts';
import { sendRound } from './round.ts';
import type { Round } from './round.ts';
import { SCENARIOS } from '@hookproof/spec/scenarios';
import type { Scenario } from '@hookproof/spec/scenarios';
import { ownTarget, runningTarget } from './target.ts';
import type { Target } from './target.ts';

const EXAMPLES = `
Without --to, the running server sends: its runs, its retries, its record of
both sides. --payload, --from and --seed send events whose run its API does not
have.

Exit codes: 0 the app responded as expected, 1 it did not within 10 s (60 s with
  --to), 2 usage.

Examples:
  $ hookproof serve --forward-to http://localhost:3000/
  $ hookproof trigger                   a run that succeeds, in another terminal
  $ hookproof trigger --list            all scenarios
  $ hookproof trigger wrong-secret --expect 401
  $ hookproof trigger --to http://localhost:3000/ --secret whsec_...
  $ hookproof trigger waiting --print --seed 7
  $ hookproof trigger --from deliveries/0001-whev_1 --times 3`;

const NAMES = SCENARIOS.map(({ name }) => name);

/** Adds `hookproof trigger`, which sends the events of a scenario to an app and judges its responses. */
export function addTrigger(program: Command): void {
  const command = program
    .command('trigger')
    .description('Sends the events of a run, or faulty ones, to your app.')
    .addArgument(
      new Argument('[scenario]', 'what happens (default: completed), such as duplicates')
        .choices(NAMES)
        .argParser(scenarioOf),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (scenario: Scenario = scenarioOf('completed')) => {
      const options = command.opts<TriggerOptions>();
      const isSecretGiven = command.getOptionValueSource('secret') === 'cli';
      if (isSecretGiven && options.to === undefined) {
        throw new UsageError('--secret requires --to. Add it with the URL of your app.');
      }
      process.exitCode = await trigger(scenario, options, openScreen());
    });
  for (const option of triggerOptions()) command.addOption(option);
}

function scenarioOf(given: string): Scenario {
  const scenario = SCENARIOS.find(({ name }) => name === given);
  if (scenario !== undefined) return scenario;
  throw new UsageError(
    `There is no scenario ${given}.${didYouMean(given, NAMES)} All of them: hookproof trigger --list`,
  );
}

async function trigger(named: Scenario, options: TriggerOptions, screen: Screen): Promise<number> {
  if (options.list === true) {
    for (const line of listLines(options)) screen.print(line);
    return 0;
  }
  const { to, secret, payload, from, print, times } = options;
  if (print === true) {
    for (let round = 0; round < times; round += 1) {
      for (const one of roundOf(named, options, round)) screen.print(one);
    }
    return 0;
  }
  // A file that does not fit is reported before a server is looked for.
  if (needsPayloads(options)) roundOf(named, options, 0);
  const target = await (to === undefined ? runningTarget() : ownTarget(to, secret));
  const given = from ?? payload;
  const scenario = given === undefined ? named : { ...named, does: given };
  try {
    return await sendRounds(scenario, target, options, screen);
  } finally {
    await target.close();
  }
}

async function sendRounds(
  scenario: Scenario,
  target: Target,
  options: TriggerOptions,
  screen: Screen,
): Promise<number> {
  const { times } = options;
  const report = triggerReport(scenario, target, options, screen);
  const watched = await watchAttempts(target, (attempt) => report.show(attempt));
  const sent: Round[] = [];
  let isOver = false;
  const endWatch = onClosedOutput(() => {
    isOver = true;
    watched.close();
  });
  try {
    while (sent.length < times) {
      if (isOver) return 1;
      const payloads = needsPayloads(options) ? roundOf(scenario, options, sent.length) : undefined;
      const round = await sendRound(scenario, payloads, target, watched, options);
      sent.push(round);
      if (options.json === true) {
        const expected = options.expect ?? scenario.expects;
        screen.print(JSON.stringify(resultJson(scenario, round, expected)));
      } else if (times > 1 && screen.columns < Infinity) {
        screen.progress(`round ${sent.length} of ${times}`);
      }
    }
  } finally {
    endWatch();
    watched.close();
  }
  report.end();
  if (options.json !== true) {
    for (const line of resultLines(scenario, sent, options, screen)) screen.print(line);
  }
  return sent.every(({ isExpected }) => isExpected) ? 0 : 1;
}
