const BODY = `
const receiver = createReceiver({
  secrets: 'whsec_c2VjcmV0',
  store: memoryStore(),
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
main();
`;

const NAMES = [
  ['', 'createReceiver'],
  ['/fetch-run', 'fetchRunFrom'],
  ['/memory', 'memoryStore'],
  ['/otel', 'observeReceivers'],
  ['/testing', 'runStatusChangedEvent, signEvent'],
  ['/verify', 'verify'],
] as const;

/** What both programs print. */
export const PRINTED = 'run.status_changed\n202\ncompleted\n';

/** Programs that receive one event with the installed package. */
export const PROGRAMS = {
  'esm.mjs':
    NAMES.map(([door, names]) => `import { ${names} } from '@hookproof/receiver${door}';\n`).join(
      '',
    ) + BODY,
  'commonjs.cjs':
    NAMES.map(
      ([door, names]) => `const { ${names} } = require('@hookproof/receiver${door}');\n`,
    ).join('') + BODY,
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

/** Keeps an event in SQLite, whose thread is a file of the package; prints the outcome or the code. */
export const SQLITE: string = `
import { realClock } from '@hookproof/receiver';
import { sqliteStore } from '@hookproof/receiver/sqlite';

const store = sqliteStore({ file: 'events.db' });
const content = { kind: 'single' };
try {
  await store.open({ clock: realClock(), wake() {}, conflict() {} });
  console.log(await store.accept({ id: 'whev_1', body: new Uint8Array(1), timestamp: 1, content }));
  await store.close();
} catch (error) {
  console.log(error.code);
}
`;
