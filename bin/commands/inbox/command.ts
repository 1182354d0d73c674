import { createProcessor } from '@hookproof/receiver';
import type { DeadLetterReason } from '@hookproof/receiver';
import { Argument, Option } from 'commander';
import type { Command } from 'commander';

import { integer, utcTime } from '../../command-line/arguments.ts';
import { UsageError } from '../../command-line/errors.ts';
import { openScreen } from '../../command-line/screen.ts';
import { changeDead } from './change-dead.ts';
import { describeError } from './describe-error.ts';
import { showDead, showId, showStats, showWaiting } from './lists.ts';
import type { InboxCall, InboxOptions } from './inbox-call.ts';
import { storeAt } from './open-store.ts';
import { changePause } from './pause.ts';
import { replay } from './replay.ts';
import { showRuns } from './runs.ts';

const EXAMPLES = `
redrive and discard are for dead letters, replay is for handled events whose
bodies are kept (keepBodiesDays). All three change what is named by its ids.
What a filter chooses, or all, they only count; with --yes they change it.

Exit codes: 0 done, 1 no such run or event, 2 usage or an unreadable store.

Examples, with HOOKPROOF_STORE=events.db:
  $ hookproof inbox                     how much waits, is dead and is paused
  $ hookproof inbox show exec_0f1a...   a run with its events
  $ hookproof inbox redrive --reason handler_failed --yes
  $ hookproof inbox discard whev_0f1a...
  $ hookproof inbox replay --handler completed --since 2026-07-01 --dry-run
  $ hookproof inbox pause completed     its handler, in every process`;

const ACTIONS = [
  'stats',
  'waiting',
  'dead',
  'runs',
  'show',
  'redrive',
  'discard',
  'replay',
  'pause',
  'resume',
] as const;
type Action = (typeof ACTIONS)[number];

const REASONS: readonly DeadLetterReason[] = [
  'handler_failed',
  'output_invalid',
  'event_quarantined',
  'event_poisoned',
];

/** Adds `hookproof inbox`, which shows and changes the events of a receiver's store. */
export function addInbox(program: Command): void {
  const command = program
    .command('inbox')
    .description("Shows what waits and failed in a receiver's store; redrives, replays and pauses.")
    .addArgument(
      new Argument('[action]', `default: stats; ${ACTIONS.slice(1).join(', ')}`)
        .choices(ACTIONS)
        .default('stats'),
    )
    .argument('[words...]', 'ids of events; a run or an event; a status or type to pause')
    .addOption(
      new Option('--store <address>', 'a file of SQLite or postgres://…, or HOOKPROOF_STORE').env(
        'HOOKPROOF_STORE',
      ),
    )
    .addOption(new Option('--source <name>', 'only events or handlers of this source'))
    .addOption(
      new Option(
        '--reason <reason>',
        'only dead letters of this reason, such as handler_failed',
      ).choices(REASONS),
    )
    .addOption(new Option('--run <id>', 'only events of this run'))
    .addOption(new Option('--automation <id>', 'only runs of this agent or workflow'))
    .addOption(
      new Option(
        '--handler <name>',
        'only dead or handled events with this status, or with --source of this type',
      ),
    )
    .addOption(new Option('--message <text>', 'only dead letters whose message begins so'))
    .addOption(
      new Option('--since <time>', 'only dead or handled events accepted then or later').argParser(
        utcTime,
      ),
    )
    .addOption(
      new Option('--until <time>', 'only dead or handled events accepted before').argParser(
        utcTime,
      ),
    )
    .addOption(
      new Option('--limit <number>', 'how many to list (default: 50)')
        .argParser(integer(1, 10_000))
        .default(50),
    )
    .addOption(new Option('--yes', 'change what redrive, discard and replay have counted'))
    .addOption(new Option('--dry-run', 'only count, also what is named by its ids'))
    .addOption(new Option('--schema <name>', 'schema of the PostgreSQL store'))
    .addOption(new Option('--json', 'print JSON, one line for each event'))
    .addHelpText('after', EXAMPLES)
    .action(async (action: Action, words: readonly string[]) => {
      process.exitCode = await act(action, words, command.opts<InboxOptions>());
    });
}

const CALLS: Readonly<Record<Action, (call: InboxCall) => Promise<number>>> = {
  stats: showStats,
  waiting: showWaiting,
  dead: showDead,
  runs: showRuns,
  show: showId,
  redrive: (call) => changeDead('redrive', call),
  discard: (call) => changeDead('discard', call),
  replay,
  pause: (call) => changePause('pause', call),
  resume: (call) => changePause('resume', call),
};

const CHANGES: readonly Action[] = ['redrive', 'discard', 'replay'];

/** An option that an action ignored could make it change more than was meant. */
const ACTIONS_WITH: readonly (readonly [keyof InboxOptions, readonly Action[]])[] = [
  ['source', ['waiting', 'dead', 'runs', 'show', ...CHANGES, 'pause', 'resume']],
  ['reason', ['dead', 'redrive', 'discard']],
  ['run', ['waiting', 'dead', ...CHANGES]],
  ['automation', ['waiting', 'dead', 'runs', ...CHANGES]],
  ['handler', ['dead', ...CHANGES]],
  ['message', ['dead', 'redrive', 'discard']],
  ['since', ['dead', ...CHANGES]],
  ['until', ['dead', ...CHANGES]],
  ['yes', CHANGES],
  ['dryRun', CHANGES],
];

function requireOptionsOf(action: Action, options: InboxOptions): void {
  for (const [name, actions] of ACTIONS_WITH) {
    if (options[name] === undefined || actions.includes(action)) continue;
    const flag = name === 'dryRun' ? 'dry-run' : name;
    throw new UsageError(
      `--${flag} must be given with inbox ${actions.join(', ')}, got inbox ${action}. Leave it out.`,
    );
  }
}

async function act(
  action: Action,
  words: readonly string[],
  options: InboxOptions,
): Promise<number> {
  requireOptionsOf(action, options);
  if (options.store === undefined || options.store === '') {
    throw new UsageError(
      'inbox requires --store. Give --store FILE or postgres://…, or set HOOKPROOF_STORE.',
    );
  }
  const { store, disconnect } = storeAt(options.store, options);
  const inbox = createProcessor({ store, onError: () => {} });
  try {
    await inbox.start({ work: false });
    return await CALLS[action]({ inbox, words, options, screen: openScreen() });
  } catch (error) {
    throw describeError(error);
  } finally {
    await inbox.close();
    await disconnect();
  }
}
