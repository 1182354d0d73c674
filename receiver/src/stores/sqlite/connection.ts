import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { Clock } from '../../clock.ts';
import { StoreError } from '../store-error.ts';
import type { AcceptOutcome, IncomingEvent } from '../store.ts';
import type { Failure } from './failures.ts';
import type { Command, CommandName, Request, Response, Signatures } from './messages.ts';
import type { Moment } from './moment.ts';
import { TurnCollector } from './turns.ts';
import type { Caller, Turn } from './turns.ts';

/** One, so that all that is asked while the thread works shares the next message and sync. */
const MAX_TURNS_IN_THREAD = 1;

/** The host's side of the thread that has a file open. It sends the calls of a turn in one message. */
export class Connection {
  readonly #file: string;
  readonly #worker: Worker;
  readonly #now: () => Moment;
  readonly #turns: TurnCollector;
  readonly #inThread: Turn[] = [];
  readonly #opening: Caller<undefined>;
  #isScheduled = false;
  #end: StoreError | null = null;

  private constructor(file: string, clock: Clock, opening: Caller<undefined>) {
    this.#file = file;
    this.#now = () => ({ wall: clock.now(), monotonic: clock.monotonic() });
    this.#turns = new TurnCollector(this.#now);
    this.#opening = opening;
    // The thread gets none of the preloaded modules of the app.
    const url = new URL('./thread.js', import.meta.url);
    this.#worker = new Worker(url, { workerData: file, execArgv: [], name: 'hookproof-sqlite' });
    this.#worker.on('message', (response: Response) => this.#receive(response));
    this.#worker.on('error', (error) => this.#endWith(this.#ended(error)));
    this.#worker.on('exit', () => this.#endWith(this.#ended('it stopped')));
    this.#send({ do: 'open', at: this.#now() });
  }

  /** @throws {StoreError} When the file cannot be opened. */
  static async open(file: string, clock: Clock): Promise<Connection> {
    let connection: Connection | undefined;
    await new Promise<undefined>((resolve, reject) => {
      connection = new Connection(file, clock, { resolve, reject });
    });
    if (connection === undefined) throw new TypeError('A promise must call its executor at once.');
    connection.#worker.unref();
    return connection;
  }

  /** False after the thread has ended. */
  get isOpen(): boolean {
    return this.#end === null;
  }

  accept(event: IncomingEvent): Promise<AcceptOutcome> {
    return this.#ask((caller) => this.#turns.accept(event, caller));
  }

  call<Name extends CommandName>(
    command: Command & { readonly name: Name },
  ): Promise<Signatures[Name][1]> {
    return this.#ask((caller) => this.#turns.command(command, caller));
  }

  /** Waits for the calls before it, then ends the thread, which closes the file. */
  async close(): Promise<void> {
    if (!this.isOpen) return;
    this.#worker.ref();
    for (let turn = this.#turns.next(); turn !== undefined; turn = this.#turns.next()) {
      this.#sendTurn(turn);
    }
    const exited = once(this.#worker, 'exit');
    this.#send({ do: 'close' });
    await exited;
  }

  #ask<Result>(collect: (caller: Caller<Result>) => void): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#end !== null) return reject(this.#end);
      collect({ resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#inThread.length >= MAX_TURNS_IN_THREAD) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const turn = this.#turns.next();
      if (turn === undefined) return;
      this.#sendTurn(turn);
      this.#schedule();
    });
  }

  #sendTurn(turn: Turn): void {
    // Callers keep the process alive while they wait.
    if (this.#inThread.length === 0) this.#worker.ref();
    this.#inThread.push(turn);
    this.#send(turn.request);
  }

  #send(request: Request): void {
    const frame = request.do === 'turn' ? request.frame : null;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    this.#worker.postMessage(request, frame === null ? [] : [frame.buffer]);
  }

  #receive(response: Response): void {
    if (response.is === 'opened') {
      if (response.failure === null) this.#opening.resolve(undefined);
      else this.#endWith(errorOf(response.failure));
    } else if (response.is === 'ended') this.#endWith(errorOf(response.failure));
    else this.#settle(response);
  }

  #settle(response: Response & { is: 'accepted' | 'done' }): void {
    const [turn] = this.#inThread;
    if (turn === undefined) return;
    if (response.is === 'done' || turn.commanding.length === 0) {
      this.#inThread.shift();
      if (this.#inThread.length === 0) this.#worker.unref();
      this.#schedule();
    }
    if (response.is === 'accepted') {
      this.#turns.reuse(response.buffer);
      const { outcomes, failure } = response;
      if (failure !== null) rejectAll(turn.accepting, errorOf(failure));
      else
        for (const [index, caller] of turn.accepting.entries()) {
          caller.resolve(outcomes?.[index] ?? 'new');
        }
      return;
    }
    for (const [index, result] of response.results.entries()) {
      const caller = turn.commanding[index];
      if ('failure' in result) caller?.reject(errorOf(result.failure));
      else caller?.resolve(result.value);
    }
  }

  /** Rejects all callers; called again, it does nothing. */
  #endWith(error: StoreError): void {
    if (this.#end !== null) return;
    this.#end = error;
    this.#opening.reject(error);
    const turns = this.#inThread.splice(0);
    for (let turn = this.#turns.next(); turn !== undefined; turn = this.#turns.next()) {
      turns.push(turn);
    }
    for (const { accepting, commanding } of turns) {
      rejectAll(accepting, error);
      rejectAll(commanding, error);
    }
  }

  #ended(cause: unknown): StoreError {
    const why = cause instanceof Error ? cause.message : String(cause);
    return new StoreError(
      'store_unavailable',
      `The thread of SQLite file ${this.#file} must run, got: ${why}. The next call starts another one. ` +
        'If your app is bundled, mark @hookproof/receiver as external.',
      { cause },
    );
  }
}

function errorOf({ code, message, why }: Failure): StoreError {
  return new StoreError(code, message, { cause: new Error(why) });
}

function rejectAll(callers: readonly Caller<never>[], error: StoreError): void {
  for (const caller of callers) caller.reject(error);
}
