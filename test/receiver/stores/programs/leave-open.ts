/** Accepts an event, settles nothing and closes nothing: the process must end by itself. Argument: file. */
import { realClock } from '@hookproof/receiver';
import { sqliteStore } from '@hookproof/receiver/sqlite';

const [file = ''] = process.argv.slice(2);
const store = sqliteStore({ file });
await store.open({ clock: realClock(), wake: () => {}, conflict: () => {} });
const content = { kind: 'single' } as const;
await store.accept({ id: 'whev_1', body: new Uint8Array(1), timestamp: 1, content });
