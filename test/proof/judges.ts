import { fork } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { once } from 'node:events';

import { compiledProgram } from '../compiled-program.ts';
import type { Judged, Order } from './order.ts';
import { shareOut } from './turns.ts';

const PROGRAM = compiledProgram(new URL('programs/judge.ts', import.meta.url));
const STDIO: StdioOptions = ['ignore', 'ignore', 'pipe', 'ipc'];

/** Processes that carry out orders, each one order at a time. */
export interface Judges {
  /** Rejects when the process of the order ends without a result. */
  judge(order: Order): Promise<Judged>;
  close(): Promise<void>;
}

export function openJudges(count: number): Judges {
  const seats = Array.from({ length: count }, (): { child: ChildProcess | null } => ({
    child: null,
  }));
  const inTurn = shareOut(seats);
  return {
    judge: (order) =>
      inTurn(async (seat) => {
        // A process that ended loses its own order only.
        seat.child = seat.child?.connected === true ? seat.child : fork(PROGRAM, { stdio: STDIO });
        return resultOf(seat.child, order);
      }),
    async close() {
      await Promise.all(seats.map(({ child }) => end(child)));
    },
  };
}

async function end(child: ChildProcess | null): Promise<void> {
  if (child?.connected !== true) return;
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}

function resultOf(child: ChildProcess, order: Order): Promise<Judged> {
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
      settle(() => reject(new Error(`the process of ${order.ids.join(', ')} ended: ${errors}`)));
    };
    const receive = (judged: Judged): void => settle(() => resolve(judged));
    child.stderr?.on('data', note);
    child.on('close', fail).on('message', receive);
    child.send(order, (error) => {
      if (error !== null) fail();
    });
  });
}
