/**
 * The thread that has the file open. SQLite waits for the disk here and not in the loop of the app.
 */
import { parentPort, workerData } from 'node:worker_threads';

import type { IncomingEvent } from '../store.ts';
import { loadDriver } from './driver.ts';
import type { Database } from './driver.ts';
import { describeFailure } from './failures.ts';
import { execute } from './messages.ts';
import type { Command, CommandResult, Request, Response } from './messages.ts';
import type { Moment } from './moment.ts';
import { openDatabase } from './open-database.ts';
import { openTransactions } from './transactions.ts';
import type { Transactions } from './transactions.ts';
import { openUpkeep } from './upkeep.ts';
import type { Upkeep } from './upkeep.ts';

interface OpenFile {
  readonly database: Database;
  readonly transactions: Transactions;
  readonly upkeep: Upkeep;
}

const file = String(workerData);
let current: OpenFile | null = null;

function send(response: Response): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  parentPort?.postMessage(response);
}

async function open(at: Moment): Promise<void> {
  try {
    const database = openDatabase(await loadDriver(), file, at);
    const upkeep = openUpkeep(database, file);
    current = { database, transactions: openTransactions(database), upkeep };
    send({ is: 'opened', failure: null });
  } catch (error) {
    send({ is: 'opened', failure: describeFailure(file, error) });
    parentPort?.close();
  }
}

function runTurn({ upkeep, transactions }: OpenFile, turn: Request & { do: 'turn' }): void {
  const { at, events, commands } = turn;
  try {
    if (events.length > 0) {
      const response = accept(transactions, at, events);
      upkeep.checkFile();
      send(response);
    }
    if (commands.length > 0) {
      const results = runCommands(transactions, at, commands);
      upkeep.checkFile();
      send({ is: 'done', results });
    }
  } catch (error) {
    send({ is: 'ended', failure: describeFailure(file, error) });
    return close();
  }
  upkeep.tidyLater();
}

/** Accepts all events in one transaction, so that they share one sync, or none. */
function accept(
  transactions: Transactions,
  at: Moment,
  events: readonly IncomingEvent[],
): Response {
  try {
    const outcomes = transactions.run(true, ({ accept: acceptOne }) =>
      events.map((event) => acceptOne(at, event)),
    );
    return { is: 'accepted', outcomes };
  } catch (error) {
    return { is: 'refused', failure: describeFailure(file, error) };
  }
}

/** Runs commands in one transaction. When one of several fails, each is tried alone. */
function runCommands(
  transactions: Transactions,
  at: Moment,
  commands: readonly Command[],
): readonly CommandResult[] {
  try {
    return transactions.run(commands.some(isSynced), ({ operations }) =>
      commands.map((command) => ({ value: execute(operations, at, command) })),
    );
  } catch (error) {
    if (commands.length === 1) return [{ failure: describeFailure(file, error) }];
    return commands.flatMap((command) => runCommands(transactions, at, [command]));
  }
}

/** What people were told is done stays done. */
const SYNCED: ReadonlySet<string> = new Set([
  'redriveSome',
  'replaySome',
  'discardSome',
  'pause',
  'resume',
  'makeSomeDue',
]);

function isSynced({ name }: Command): boolean {
  return SYNCED.has(name);
}

function close(): void {
  current?.upkeep.tidy();
  current?.database.close();
  current = null;
  parentPort?.close();
}

parentPort?.on('message', (request: Request) => {
  if (request.do === 'open') void open(request.at);
  else if (request.do === 'close') close();
  else if (current !== null) runTurn(current, request);
});
