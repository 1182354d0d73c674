import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { WorkerOptions } from 'node:worker_threads';

import { nextTurn } from '../../clock.ts';
import type { Clock } from '../../clock.ts';
import { StoreError } from '../store-error.ts';
import { ExitGate, shutAtExit } from './exit-gate.ts';
import type { Failure } from './failures.ts';
import type { Answer, Call, Request, Response } from './messages.ts';
import type { Arguments, OperationName, Result } from './operations.ts';

/** A caller that waits for a result. */
interface Caller {
  resolve(value: unknown): void;
  reject(error: StoreError): void;
}

/** The app's side of the thread that has a file open. */
export class Connection {
  readonly #file: string;
  readonly #worker: Worker;
  readonly #clock: Clock;
  readonly #opening: Caller;
  readonly #callers = new Map<number, Caller>();
  readonly #forgetGate: () => void;
  #calls: Call[] = [];
  #lastCall = 0;
  #end: StoreError | null = null;

  private constructor(file: string, clock: Clock, opening: Caller) {
    this.#file = file;
    this.#clock = clock;
    this.#opening = opening;
    const memory = ExitGate.memory();
    this.#forgetGate = shutAtExit(new ExitGate(memory));
    // The thread gets none of the preloaded modules of the app.
    const options = { workerData: { file, memory }, execArgv: [], name: 'hookproof-sqlite' };
    this.#worker = this.#thread(options);
    this.#worker.on('message', (response: Response) => this.#receive(response));
    this.#worker.on('error', (error) => this.#endWith(this.#ended(error)));
    this.#worker.on('exit', () => this.#endWith(this.#ended('it stopped')));
    this.#send({ do: 'open', at: this.#now() });
  }

  /** @throws {StoreError} When the file cannot be opened. */
  static async open(file: string, clock: Clock): Promise<Connection> {
    let connection: Connection | undefined;
    await new Promise((resolve, reject) => {
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

  call<Name extends OperationName>(name: Name, args: Arguments<Name>): Promise<Result<Name>> {
    return new Promise((resolve, reject) => {
      if (this.#end !== null) return reject(this.#end);
      this.#lastCall += 1;
      // Callers keep the process alive while they wait.
      if (this.#callers.size === 0) this.#worker.ref();
      this.#callers.set(this.#lastCall, { resolve, reject });
      // The calls of one turn of the loop go in one message.
      if (this.#calls.length === 0) void nextTurn().then(() => this.#sendCalls());
      this.#calls.push({ number: this.#lastCall, name, args });
    });
  }

  /** Waits for the calls before it, then ends the thread, which closes the file. */
  async close(): Promise<void> {
    if (!this.isOpen) return;
    this.#worker.ref();
    const exited = once(this.#worker, 'exit');
    this.#sendCalls();
    this.#send({ do: 'close' });
    await exited;
  }

  #now(): { readonly wall: number; readonly monotonic: number } {
    return { wall: this.#clock.now(), monotonic: this.#clock.monotonic() };
  }

  #sendCalls(): void {
    const calls = this.#calls;
    this.#calls = [];
    if (calls.length > 0 && this.isOpen) this.#send({ do: 'calls', at: this.#now(), calls });
  }

  #send(request: Request): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    this.#worker.postMessage(request);
  }

  #receive(response: Response): void {
    if (response.is === 'opened') this.#opening.resolve(undefined);
    else if (response.is === 'ended') this.#endWith(errorOf(response.failure));
    else for (const answer of response.answers) this.#settle(answer);
  }

  #settle({ number, ...result }: Answer): void {
    const caller = this.#callers.get(number);
    this.#callers.delete(number);
    if (this.#callers.size === 0) this.#worker.unref();
    if ('failure' in result) caller?.reject(errorOf(result.failure));
    else caller?.resolve(result.value);
  }

  /** Rejects all callers; called again, it does nothing. */
  #endWith(error: StoreError): void {
    if (this.#end !== null) return;
    this.#end = error;
    this.#forgetGate();
    this.#opening.reject(error);
    for (const caller of this.#callers.values()) caller.reject(error);
    this.#callers.clear();
  }

  #thread(options: WorkerOptions): Worker {
    try {
      return new Worker(new URL('./thread.js', import.meta.url), options);
    } catch (cause) {
      // A bundle in CommonJS has no address of its own.
      throw this.#ended(cause);
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
