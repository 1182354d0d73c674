/**
 * The thread that has the file open. SQLite waits for the disk here and not in the loop of the app.
 */
import { parentPort, workerData } from 'node:worker_threads';

import { loadDriver } from './driver.ts';
import type { Database } from './driver.ts';
import { ExitGate } from './exit-gate.ts';
import { describeFailure, isLocked } from './failures.ts';
import type { Answer, Call, Request, Response } from './messages.ts';
import type { Moment } from './moment.ts';
import { openDatabase, whenFree } from './open-database.ts';
import { openOperations } from './open-operations.ts';
import { READS, SYNCED } from './operations.ts';
import type { Operations } from './operations.ts';
import { transactions } from './transactions.ts';
import type { Mode, Transact } from './transactions.ts';
import { openUpkeep } from './upkeep.ts';
import type { Upkeep } from './upkeep.ts';

interface OpenFile {
  readonly database: Database;
  readonly transact: Transact;
  readonly operations: Operations;
  readonly upkeep: Upkeep;
}

interface TimedCall extends Call {
  readonly at: Moment;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Connection` passes it
const { file, memory } = workerData as { file: string; memory: SharedArrayBuffer };
const gate = new ExitGate(memory);
let current: OpenFile | null = null;
/**
 * Those that write. All that come while the file is locked, or the disk is slow, share one commit.
 */
let writing: TimedCall[] = [];
let isWriting = false;
let isClosing = false;

function send(response: Response): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  parentPort?.postMessage(response);
}

async function open(at: Moment): Promise<void> {
  try {
    const driver = await loadDriver();
    await whenFree(() =>
      gate.whileOpen(() => {
        const database = openDatabase(driver, file, at);
        const upkeep = openUpkeep(database, file, gate);
        const [transact, operations] = [transactions(database), openOperations(database)];
        current = { database, transact, operations, upkeep };
        send({ is: 'opened' });
      }),
    );
  } catch (error) {
    endWith(error);
  }
}

/** Reads at once, also while another process writes; writes when the file is free. */
function receive(opened: OpenFile, at: Moment, calls: readonly Call[]): void {
  const timed = calls.map((call) => ({ ...call, at }));
  const reading = timed.filter(({ name }) => READS.has(name));
  writing.push(...timed.filter(({ name }) => !READS.has(name)));
  if (reading.length > 0) gate.whileOpen(() => read(opened, reading));
  if (writing.length === 0 || isWriting) return;
  isWriting = true;
  // What has arrived meanwhile goes with it.
  setImmediate(() => void writeAll(opened));
}

function read(opened: OpenFile, calls: readonly TimedCall[]): void {
  send({ is: 'done', answers: runEach(opened, 'reads', calls) });
}

async function writeAll(opened: OpenFile): Promise<void> {
  while (writing.length > 0) {
    try {
      await whenFree(() => gate.whileOpen(() => write(opened)));
    } catch (error) {
      if (!isLocked(error)) return endWith(error);
      const failure = describeFailure(file, error);
      const answers = writing.map(({ number }) => ({ number, failure }));
      writing = [];
      send({ is: 'done', answers });
    }
  }
  isWriting = false;
  if (isClosing) close();
}

/**
 * Runs everything that waits in one transaction. It throws while the file is locked, or when it is
 * gone.
 */
function write(opened: OpenFile): void {
  const answers = runAll(opened, writing);
  writing = [];
  opened.upkeep.checkFile();
  send({ is: 'done', answers });
  opened.upkeep.tidyLater();
}

/** When one of several calls fails, each is tried alone. */
function runAll(opened: OpenFile, calls: readonly TimedCall[]): readonly Answer[] {
  const mode = calls.some(({ name }) => SYNCED.has(name)) ? 'writes-synced' : 'writes';
  try {
    return opened.transact(mode, () =>
      calls.map((call) => ({ number: call.number, value: execute(opened, call) })),
    );
  } catch (error) {
    if (isLocked(error)) throw error;
    return calls.flatMap((call) => runEach(opened, mode, [call]));
  }
}

function runEach(opened: OpenFile, mode: Mode, calls: readonly TimedCall[]): readonly Answer[] {
  return calls.map((call) => {
    try {
      const value = opened.transact(mode, () => execute(opened, call));
      return { number: call.number, value };
    } catch (error) {
      return { number: call.number, failure: describeFailure(file, error) };
    }
  });
}

function execute({ operations }: OpenFile, { name, at, args }: TimedCall): unknown {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Connection.call` ties the arguments to the name
  const operation = operations[name] as (at: Moment, ...given: readonly unknown[]) => unknown;
  return operation(at, ...args);
}

function endWith(error: unknown): void {
  send({ is: 'ended', failure: describeFailure(file, error) });
  close();
}

function close(): void {
  gate.whileOpen(() => {
    current?.upkeep.tidy();
    current?.database.close();
  });
  current = null;
  parentPort?.close();
}

parentPort?.on('message', (request: Request) => {
  if (request.do === 'open') void open(request.at);
  else if (request.do === 'calls' && current !== null) receive(current, request.at, request.calls);
  else if (request.do === 'close') {
    isClosing = true;
    if (!isWriting) close();
  }
});
