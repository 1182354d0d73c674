import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';

import { compiledProgram } from '../compiled-program.ts';
import type { Order, Report } from './programs/command-host.ts';

/** A command that runs, in a process of its own or in that of other commands. */
export interface Running {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exit: Promise<number | NodeJS.Signals>;
}

/** A command in the process that this worker keeps for its commands. */
interface HostedCommand extends Running {
  /** Ends a server as a signal does. */
  stop(): void;
  /** Ends the process with all commands in it. The next command starts another. */
  abandon(): void;
}

interface Host {
  readonly child: ChildProcess;
  readonly receivers: Map<number, (report: Report) => void>;
}

const COMMAND_LINE = new URL('../../bin/dist/main.js', import.meta.url).href;
let host: Host | null = null;
let count = 0;

/**
 * Runs a command without a process of its own: loading the command line takes longer than most commands.
 * Commands take turns, because folder and environment belong to the process; a server ends its turn when it has written.
 */
export function startHosted(order: Omit<Order, 'id' | 'isServer'>): HostedCommand {
  const current = (host ??= startHost());
  const { child, receivers } = current;
  const id = (count += 1);
  const output = { stdout: new PassThrough(), stderr: new PassThrough() };
  const exit = new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`Command ${order.args.join(' ')} was abandoned.`)));
    receivers.set(id, (report) => {
      if ('stream' in report) {
        output[report.stream].write(report.text);
        return;
      }
      receivers.delete(id);
      output.stdout.end();
      output.stderr.end();
      resolve(report.code);
    });
  });
  exit.catch(() => undefined);
  child.send({ ...order, id, isServer: order.args[0] === 'serve' } satisfies Order);
  return {
    ...output,
    exit,
    stop: () => void child.send({ stop: id }),
    abandon: () => {
      if (host === current) host = null;
      child.kill('SIGKILL');
    },
  };
}

function startHost(): Host {
  const program = compiledProgram(new URL('programs/command-host.ts', import.meta.url));
  const child = fork(program, [COMMAND_LINE], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.setMaxListeners(0);
  const receivers: Host['receivers'] = new Map();
  child.on('message', (report: Report) => receivers.get(report.id)?.(report));
  child.on('exit', () => {
    if (host?.child === child) host = null;
  });
  // A worker of the tests can end without it: the program ends when its channel closes.
  child.unref();
  child.channel?.unref();
  return { child, receivers };
}
