/**
 * Handles events in ordered mode, and writes each into the table `effects` in the same transaction as
 * its result. Arguments: address of the database, lease in milliseconds, longest pause of a handler.
 * It ends when its standard input ends, or when it is killed.
 */
import { createReceiver } from '@hookproof/receiver';
import { postgresStore } from '@hookproof/receiver/postgres';
import { Pool } from 'pg';

const [connectionString = '', lease = '', pause = ''] = process.argv.slice(2);
const pool = new Pool({ connectionString, max: 20 });
const receiver = createReceiver({
  secrets: 'whsec_7hJmKx2QpLw9',
  store: postgresStore({ pool }),
  mode: 'ordered',
  leaseMilliseconds: Number(lease),
  pollMilliseconds: 50,
  roundTripGraceMilliseconds: 0,
  handlers: {
    async event({ id, data }, { tx }) {
      await tx.query('INSERT INTO effects (event_id, run_id, status) VALUES ($1, $2, $3)', [
        id,
        data.run.id,
        data.run.status,
      ]);
      await new Promise((resolve) => {
        setTimeout(resolve, Math.random() * Number(pause));
      });
    },
  },
  onError: ({ code, message }) => process.stderr.write(`${code} ${message}\n`),
});
await receiver.start();
process.stdout.write('ready\n');
process.stdin.resume();
process.stdin.on('end', () => {
  void receiver.close().then(() => pool.end());
});
