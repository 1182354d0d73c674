import { fork } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { once } from 'node:events';

import { shareOut } from './turns.ts';

const STDIO: StdioOptions = ['ignore', 'ignore', 'pipe', 'ipc'];

/** Processes that carry out orders, each one order at a time: it takes longer to load the suite than to judge once. */
export interface Judges<Order, Judged> {
  /** Rejects when the process of the order ends without a result. */
  judge(order: Order): Promise<Judged>;
  close(): Promise<void>;
}

/** Starts a process of the program with the first order that needs one. Without `close()` it ends with this process. */
export function openJudges<Order extends object, Judged>(
  program: string,
  count: number,
): Judges<Order, Judged> {
  const seats = Array.from({ length: count }, (): { child: ChildProcess | null } => ({
    child: null,
  }));
  const inTurn = shareOut(seats);
  return {
    judge: (order) =>
      inTurn(async (seat) => {
        // A process that ended loses its own order only.
        seat.child = seat.child?.connected === true ? seat.child : start(program);
        return resultOf(seat.child, order);
      }),
    async close() {
      await Promise.all(seats.map(({ child }) => end(child)));
    },
  };
}

function start(program: string): ChildProcess {
  const child = fork(program, { stdio: STDIO });
  child.unref();
  child.channel?.unref();
  return child;
}

async function end(child: ChildProcess | null): Promise<void> {
  if (child?.connected !== true) return;
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}

function resultOf<Judged>(child: ChildProcess, order: object): Promise<Judged> {
  return new Promise((resolve, reject) => {
    let errors = '';
    const note = (chunk: unknown): void => {
      errors += String(chunk);
    };
    const settle = (act: () => void): void => {
      child.stderr?.off('data', note);
      child.off('close', fail).off('message', receive);
      act();
    };
    const fail = (): void => {
      settle(() => reject(new Error(`the process of ${JSON.stringify(order)} ended: ${errors}`)));
    };
    const receive = (judged: Judged): void => settle(() => resolve(judged));
    child.stderr?.on('data', note);
    child.on('close', fail).on('message', receive);
    child.send(order, (error) => {
      if (error !== null) fail();
    });
  });
}
