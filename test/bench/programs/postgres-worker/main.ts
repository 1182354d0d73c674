/**
 * Handles the events of a PostgreSQL database. Each handler uses some milliseconds of processor time.
 * Arguments: address of the database, milliseconds. It starts with the first message, and runs until it is killed.
 */
import process from 'node:process';

import { createReceiver } from '@hookproof/receiver';
import { postgresStore } from '@hookproof/receiver/postgres';
import { Pool } from 'pg';

import { SECRET } from '../../delivery.ts';

const [connectionString = '', work = ''] = process.argv.slice(2);
const milliseconds = Number(work);

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const receiver = createReceiver({
  secrets: SECRET,
  store: postgresStore({ pool: new Pool({ connectionString, max: 8 }) }),
  handlers: {
    event() {
      const end = processorTime() + milliseconds;
      while (processorTime() < end);
    },
  },
});
process.on('message', () => {
  void receiver.start().then(() => process.send?.('started'));
});
process.send?.('ready');
