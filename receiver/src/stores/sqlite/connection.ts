import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { Clock } from '../../clock.ts';
import { StoreError } from '../store-error.ts';
import type { AcceptOutcome, IncomingEvent } from '../store.ts';
import type { Failure } from './failures.ts';
import type { Command, CommandName, Request, Response, Signatures } from './messages.ts';
import type { Moment } from './moment.ts';
import { Turn } from './turn.ts';
import type { Caller } from './turn.ts';

/**
 * The host's side of the thread that has a file open. The thread has one turn at a time: all that is
 * asked while it works shares the next message and sync.
 */
export class Connection {
  readonly #file: string;
  readonly #worker: Worker;
  readonly #now: () => Moment;
  readonly #opening: Caller<undefined>;
  /** Two only while the thread is closed. */
  readonly #inThread: Turn[] = [];
  #turn = new Turn();
  #isScheduled = false;
  #end: StoreError | null = null;

  private constructor(file: string, clock: Clock, opening: Caller<undefined>) {
    this.#file = file;
    this.#now = () => ({ wall: clock.now(), monotonic: clock.monotonic() });
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
    // A view of a larger buffer would be sent with all of it.
    const copy = { ...event, body: Uint8Array.from(event.body) };
    return this.#ask((caller) => this.#turn.accept(copy, caller));
  }

  call<Name extends CommandName>(
    command: Command & { readonly name: Name },
  ): Promise<Signatures[Name][1]> {
    return this.#ask((caller) => this.#turn.command(command, caller));
  }

  /** Waits for the calls before it, then ends the thread, which closes the file. */
  async close(): Promise<void> {
    if (!this.isOpen) return;
    this.#worker.ref();
    const exited = once(this.#worker, 'exit');
    if (!this.#turn.isEmpty) this.#sendTurn();
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

  /** The calls of one turn of the loop go in one message. */
  #schedule(): void {
    if (this.#isScheduled || this.#inThread.length > 0 || this.#turn.isEmpty) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (!this.#turn.isEmpty) this.#sendTurn();
    });
  }

  #sendTurn(): void {
    // Callers keep the process alive while they wait.
    this.#worker.ref();
    const turn = this.#turn;
    this.#turn = new Turn();
    this.#inThread.push(turn);
    const { events, commands } = turn;
    this.#send({ do: 'turn', at: this.#now(), events, commands });
  }

  #send(request: Request): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    this.#worker.postMessage(request);
  }

  #receive(response: Response): void {
    if (response.is === 'opened') {
      if (response.failure === null) this.#opening.resolve(undefined);
      else this.#endWith(errorOf(response.failure));
    } else if (response.is === 'ended') this.#endWith(errorOf(response.failure));
    else this.#settle(response);
  }

  #settle(response: Response & { is: 'accepted' | 'refused' | 'done' }): void {
    const [turn] = this.#inThread;
    if (turn === undefined) return;
    if (response.is === 'done' || turn.commands.length === 0) {
      this.#inThread.shift();
      if (this.#inThread.length === 0) this.#worker.unref();
      this.#schedule();
    }
    if (response.is === 'accepted') {
      const { outcomes } = response;
      for (const [index, caller] of turn.accepting.entries())
        caller.resolve(outcomes[index] ?? 'new');
      return;
    }
    if (response.is === 'refused') {
      const error = errorOf(response.failure);
      for (const caller of turn.accepting) caller.reject(error);
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
    for (const turn of [...this.#inThread.splice(0), this.#turn]) turn.rejectAll(error);
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
