/** Receives one event; prints the code of an error. */
const receivingWith = (store: string) => `
const receiver = createReceiver({
  secrets: 'whsec_c2VjcmV0',
  store: ${store},
  handlers: { completed: ({ data }) => console.log(data.run.status) },
  onError: ({ message }) => console.error(message),
});
async function main() {
  await receiver.start();
  const event = runStatusChangedEvent({ previousStatus: 'running', currentStatus: 'completed' });
  const { headers, body } = signEvent(event, { secret: 'whsec_c2VjcmV0' });
  console.log(verify(body, headers, { secrets: 'whsec_c2VjcmV0' }).type);
  const contentType = headers['content-type'];
  const response = await receiver.receive({ method: 'POST', contentType, headers, body });
  console.log(response.status);
  await receiver.idle();
  await receiver.close();
}
main().catch(({ code }) => console.log(code));
`;

const NAMES = [
  ['', 'createReceiver'],
  ['/fetch-run', 'fetchRunFrom'],
  ['/memory', 'memoryStore'],
  ['/otel', 'observeReceivers'],
  ['/testing', 'runStatusChangedEvent, signEvent'],
  ['/verify', 'verify'],
] as const;

const imported = ([door, names]: readonly [string, string]): string =>
  `import { ${names} } from '@hookproof/receiver${door}';\n`;

/** What each program prints. */
export const PRINTED = 'run.status_changed\n202\ncompleted\n';

/** Programs that receive one event with the installed package. */
export const PROGRAMS = {
  'esm.mjs': NAMES.map(imported).join('') + receivingWith('memoryStore()'),
  'commonjs.cjs':
    NAMES.map(
      ([door, names]) => `const { ${names} } = require('@hookproof/receiver${door}');\n`,
    ).join('') + receivingWith('memoryStore()'),
} as const;

/** A consumer's code that compiles only with types narrowed by the name of the handler. */
export const TYPED_HANDLERS = `
import type { Handlers, RunEvent, RunSnapshot, RunStatus, SettledRun } from '@hookproof/receiver';

export const handlers: Handlers = {
  completed: ({ data }) => {
    const status: 'completed' = data.run.status;
    return status;
  },
  'run.created': (event) => {
    const none: undefined = event.data.previousStatus;
    // @ts-expect-error A created run has no previous status.
    const some: string = event.data.previousStatus;
    return [none, some];
  },
  'run.status_changed': ({ data }) => {
    const previous: RunStatus = data.previousStatus;
    return previous;
  },
  settled: ({ status }) => {
    const terminal: 'completed' | 'failed' | 'cancelled' | 'rejected' = status;
    return terminal;
  },
};

// @ts-expect-error No run settles while it is running.
export const running: SettledRun['status'] = 'running';

export function runOf(event: RunEvent): RunSnapshot {
  return event.data.run;
}
`;

/** Keeps the event in SQLite, whose thread is a file of the package. */
export const SQLITE: string =
  [...NAMES, ['/sqlite', 'sqliteStore'] as const].map(imported).join('') +
  receivingWith("sqliteStore({ file: 'events.db' })");
