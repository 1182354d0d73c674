import type { AcceptOutcome, IncomingEvent } from '../store.ts';
import type { StoreError } from '../store-error.ts';
import type { Command } from './messages.ts';

/** A caller that waits for a result. */
export interface Caller<Result> {
  resolve(result: Result): void;
  reject(error: StoreError): void;
}

/** What callers asked for since the last message to the thread, with the callers in the same order. */
export class Turn {
  readonly events: IncomingEvent[] = [];
  readonly accepting: Caller<AcceptOutcome>[] = [];
  readonly commands: Command[] = [];
  readonly commanding: Caller<unknown>[] = [];

  get isEmpty(): boolean {
    return this.events.length + this.commands.length === 0;
  }

  accept(event: IncomingEvent, caller: Caller<AcceptOutcome>): void {
    this.events.push(event);
    this.accepting.push(caller);
  }

  command(command: Command, caller: Caller<unknown>): void {
    this.commands.push(command);
    this.commanding.push(caller);
  }

  rejectAll(error: StoreError): void {
    for (const caller of [...this.accepting, ...this.commanding]) caller.reject(error);
  }
}
