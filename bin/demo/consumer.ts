import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** One line that the example consumer prints; each has exactly one of these members. */
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
  /** Resolves when the lines printed so far satisfy the condition; rejects when the consumer ends first. */
  until(condition: (lines: readonly ConsumerLine[]) => boolean): Promise<void>;
  close(): Promise<void>;
}

const PROGRAM = fileURLToPath(
  new URL('../examples/dist/consumer/main.js', import.meta.resolve('@hookproof/receiver')),
);

/** Starts the example consumer of the receiver's room as a process of its own, on a free port. */
export async function startConsumer(secret: string, databaseFile: string): Promise<Consumer> {
  const child = spawn(process.execPath, ['--no-warnings', PROGRAM], {
    env: { HOOKPROOF_SECRET: secret, PORT: '0', DATABASE_FILE: databaseFile },
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
      ended.then(() => reject(new Error('The example consumer ended before it was done.')), reject);
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
