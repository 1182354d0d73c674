import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

import { connect as connectToNats } from '@nats-io/transport-node';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';

import { compiledProgram } from '../compiled-program.ts';
import { freshDatabase } from './databases.ts';
import { describeWith, startServer } from './local-server.ts';

describeWith('postgres')('PostgreSQL for tests', () => {
  test('gives each caller an empty database', async () => {
    const urls = [await freshDatabase(), await freshDatabase()];
    for (const url of urls) {
      const client = new Client(url);
      await client.connect();
      await client.query('CREATE TABLE only_here (id int)');
      await client.end();
    }
    expect(new Set(urls).size).toBe(2);
  });

  test('keeps its data and its address over a crash', async () => {
    const server = await startServer('postgres');
    onTestFinished(() => server.stop());
    const client = new Client(server.url);
    client.on('error', () => undefined);
    await client.connect();
    await client.query('CREATE TABLE kept AS SELECT 7 AS number');
    await server.crash();
    await expect(client.query('SELECT 1')).rejects.toThrow();
    await server.restart();
    const again = new Client(server.url);
    await again.connect();
    expect((await again.query('SELECT number FROM kept')).rows).toEqual([{ number: 7 }]);
    await again.end();
  });
});

describeWith('redis')('Redis for tests', () => {
  test('runs with the given options', async () => {
    const server = await startServer('redis', ['--appendonly', 'yes', '--appendfsync', 'always']);
    onTestFinished(() => server.stop());
    const redis = new Redis(server.url);
    expect(await redis.config('GET', 'appendfsync')).toEqual(['appendfsync', 'always']);
    await redis.quit();
  });

  test('ends when the process that started it is killed', async () => {
    const program = compiledProgram(new URL('programs/serve.ts', import.meta.url));
    const parent = spawn(
      process.execPath,
      [
        '-e',
        `require('child_process').spawn(process.execPath, [process.argv[1], 'redis'],
           { stdio: ['pipe', 'inherit', 'inherit'] })`,
        program,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [url] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    socket.resume();
    parent.kill('SIGKILL');
    await closed;
  });
});

describeWith('nats')('NATS for tests', () => {
  test('runs with JetStream', async () => {
    const server = await startServer('nats');
    onTestFinished(() => server.stop());
    const connection = await connectToNats({ servers: server.url });
    expect(connection.info?.jetstream).toBe(true);
    await connection.close();
  });
});
