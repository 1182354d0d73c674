import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A line that the example consumer prints. Each has exactly one of these members. */
export interface ConsumerLine {
  readonly listening?: string;
  readonly arrived?: { readonly eventId: string | null; readonly code: string };
  readonly handled?: {
    readonly runId: string;
    readonly eventId: string;
    readonly type: string;
    readonly status: string;
  };
  readonly settled?: { readonly runId: string; readonly status: string };
}

export interface Consumer {
  readonly url: string;
  readonly lines: readonly ConsumerLine[];
  /** Resolves when the printed lines satisfy the condition. Rejects if the consumer ends first. */
  until(condition: (lines: readonly ConsumerLine[]) => boolean): Promise<void>;
  close(): Promise<void>;
}

const PROGRAM = fileURLToPath(
  new URL('../examples/dist/consumer/main.js', import.meta.resolve('@hookproof/receiver')),
);

/** Starts the receiver's example consumer in a child process, on a free port, with its events in memory. */
export async function startConsumer(secret: string): Promise<Consumer> {
  const child = spawn(process.execPath, ['--no-warnings', PROGRAM], {
    env: { WEBHOOK_SECRET: secret, PORT: '0', DATABASE_FILE: ':memory:' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines: ConsumerLine[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (text) => {
    lines.push(JSON.parse(text));
    for (const look of waiting) look();
  });

  const until: Consumer['until'] = (condition) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!condition(lines)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
      ended.then(
        () => reject(new Error('The example consumer must handle all events, but it ended first.')),
        reject,
      );
    });

  await until((printed) => printed.some((line) => line.listening !== undefined));
  return {
    url: lines.find((line) => line.listening !== undefined)?.listening ?? '',
    lines,
    until,
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
