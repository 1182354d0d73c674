import { AsyncLocalStorage } from 'node:async_hooks';

/** A command to run. Nothing else changes folder and environment until it ends or, for a server, until it has written. */
export interface Order {
  readonly id: number;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly isServer: boolean;
}

type StreamName = 'stdout' | 'stderr';
export type Report =
  | { readonly id: number; readonly stream: StreamName; readonly text: string }
  | { readonly id: number; readonly code: number };

type Run = (argv: readonly string[]) => Promise<number>;
type Write = (stream: StreamName, text: string) => void;

const [, , commandLine = ''] = process.argv;
const { run }: { run: Run } = await import(commandLine);
const writers = new AsyncLocalStorage<Write>();
const stops = new Map<number, () => void>();
let turn: Promise<unknown> = Promise.resolve();

process.setMaxListeners(0);
process.stdout.setMaxListeners(0);
divert('stdout');
divert('stderr');
process.on('disconnect', () => process.exit());
process.on('message', (message: Order | { readonly stop: number }) => {
  if ('stop' in message) stops.get(message.stop)?.();
  else turn = turn.then(() => obey(message));
});

/** Gives what a command writes to its own reader. */
function divert(name: StreamName): void {
  const stream = process[name];
  const write = stream.write.bind(stream);
  stream.write = (text: string | Uint8Array) => {
    const own = writers.getStore();
    if (own === undefined) return write(text);
    own(name, Buffer.from(text as string).toString());
    return true;
  };
}

function report(message: Report): void {
  process.send?.(message);
}

/** Starts the command, and resolves when another one may change the folder and the environment. */
async function obey({ id, args, cwd, env, isServer }: Order): Promise<void> {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.exitCode = undefined;
  const others = new Set(process.listeners('SIGTERM'));
  await new Promise<void>((resolve) => {
    const write: Write = (stream, text) => {
      // Its reader can stop a server as soon as it has the first text.
      if (isServer && !stops.has(id)) stops.set(id, stopOf(others));
      report({ id, stream, text });
      if (isServer) setImmediate(resolve);
    };
    const ended = writers.run(write, () => run(['node', 'hookproof', ...args]));
    void ended.then((code) => {
      stops.delete(id);
      report({ id, code });
      resolve();
    });
  });
}

/** A function that calls the listeners to SIGTERM that came after these. */
function stopOf(earlier: ReadonlySet<NodeJS.SignalsListener>): () => void {
  const own = process.listeners('SIGTERM').filter((listener) => !earlier.has(listener));
  return () => own.forEach((listener) => listener('SIGTERM'));
}
