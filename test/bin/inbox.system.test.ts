import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createProcessor, createReceiver } from '@hookproof/receiver';
import type { Store } from '@hookproof/receiver';
import { github } from '@hookproof/receiver/github';
import { postgresStore } from '@hookproof/receiver/postgres';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { githubSigner, runTimeline, signEvent } from '@hookproof/receiver/testing';
import { Pool } from 'pg';
import { describe, expect, test } from 'vitest';

import { emptyFolder } from '../empty-folder.ts';
import { freshDatabase } from '../services/databases.ts';
import { testWith } from '../services/local-server.ts';
import { hookproof } from './hookproof.ts';

const secrets = 'whsec_inbox';

/** Returns `--store` of a file with two dead letters and one event that waits for an earlier one. */
async function filledFile(): Promise<string> {
  const file = join(emptyFolder(), 'events.db');
  await fill(sqliteStore({ file }));
  return `--store=${file}`;
}

async function fill(store: Store): Promise<void> {
  const receiver = createReceiver({
    secrets,
    store,
    mode: 'ordered',
    roundTripGraceMilliseconds: 0,
    retryForHours: 0,
    keepBodiesDays: 7,
    onError: () => {},
    handlers: {
      failed: () => {
        throw new Error('billing is down');
      },
    },
  });
  await receiver.start();
  const [, , gap] = runTimeline(['pending', 'running', 'completed'], { run: { id: 'exec_gap' } });
  const events = ['exec_1', 'exec_2'].flatMap((id) =>
    runTimeline(['pending', 'failed'], { run: { id } }),
  );
  for (const event of [...events, ...(gap === undefined ? [] : [gap])]) {
    const { headers, body } = signEvent(event, { secret: secrets });
    await receiver.receive({ method: 'POST', headers, body });
  }
  await receiver.idle();
  await receiver.close();
}

/** Handles what is due with handlers that fail. */
async function failAll(store: Store): Promise<void> {
  const receiver = createReceiver({
    secrets,
    store,
    retryForHours: 0,
    onError: () => {},
    handlers: { event: () => Promise.reject(new Error('still down')) },
  });
  await receiver.start();
  await receiver.idle();
  await receiver.close();
}

const json = async (...args: readonly string[]): Promise<unknown[]> => {
  const { stdout } = await hookproof(['inbox', ...args, '--json']);
  return stdout
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
};

describe('hookproof inbox', () => {
  test('shows how much there is, what waits, what is dead, and a run with its gap', async () => {
    const store = await filledFile();
    const stats = await hookproof(['inbox', store]);
    expect(stats.stdout).toMatch(/^waiting {2}1, .*\ndead {5}2\n/);
    const waiting = await hookproof(['inbox', 'waiting', store]);
    expect(waiting.stdout).toMatch(
      /exec_gap {2}completed {2}missing the creation to running, next attempt in/,
    );
    const dead = await hookproof(['inbox', 'dead', store, '--run', 'exec_2']);
    expect(dead.stdout).toMatch(
      /^whev_\S+ {2}exec_2 {2}failed {2}handler_failed .* 1 attempt\n {4}Error: bill/,
    );
    const causes = await hookproof(['inbox', 'dead', store]);
    expect(causes.stdout).toMatch(/^2 × {2}failed {6}Error: billing is down\n\nwhev_/);
    const chosen = [
      '--handler',
      'failed',
      '--message',
      'Error: bill',
      '--since',
      '2020-01-01T00:00Z',
    ];
    expect(await json('dead', store, ...chosen)).toHaveLength(2);
    expect(await json('redrive', store, ...chosen)).toEqual([{ redrive: 2, done: false }]);
    expect(await json('dead', store, '--message', 'bill')).toEqual([]);
    const run = await hookproof(['inbox', 'show', 'exec_gap', store]);
    expect(run.stdout).toMatch(/missing: the creation to running\n {2}completed {3}open {5}whev_/);
    expect(await json('dead', store)).toMatchObject([{ runId: 'exec_2' }, { runId: 'exec_1' }]);
  });

  test('lists runs, and those of an agent or workflow', async () => {
    const store = await filledFile();
    const runs = await hookproof(['inbox', 'runs', store]);
    const [gap, second, ...others] = runs.stdout.trimEnd().split('\n');
    expect(gap).toMatch(/^exec_gap {2}\w+ {2}completed {3}1 waiting$/);
    expect(second).toMatch(/^exec_2 {2}\w+ {2}failed {6}1 dead, 1 handled$/);
    expect(others).toHaveLength(1);
    const [run] = await json('runs', '--limit', '1', store);
    expect(run).toMatchObject({ runId: 'exec_gap', open: 1, dead: 0, handled: 0 });
    const automation = Object(run).automationId;
    expect(await json('runs', '--automation', automation, store)).toHaveLength(3);
    expect(await json('dead', '--automation', automation, store)).toHaveLength(2);
    const none = await hookproof(['inbox', 'runs', '--automation', 'wf_other', store]);
    expect([none.code, none.stdout]).toEqual([0, 'No runs.\n']);
    const shown = await hookproof(['inbox', 'show', automation, store]);
    expect([shown.code, shown.stderr]).toEqual([
      1,
      expect.stringContaining(`Its runs: hookproof inbox runs --automation ${automation}`),
    ]);
  });

  test('counts before it redrives or discards, and changes with --yes or an id', async () => {
    const store = await filledFile();
    const counted = await hookproof(['inbox', 'discard', store]);
    expect(counted.stdout).toBe('2 would be discarded. Add --yes.\n');
    const none = await hookproof(['inbox', 'discard', '--run', 'exec_other', store]);
    expect(none.stdout).toBe('0 discarded: no dead letter matches what was chosen.\n');
    expect(await json('stats', store)).toMatchObject([{ dead: 2 }]);
    const [letter] = await json('dead', store);
    const { id } = letter as { id: string };
    expect(await json('redrive', id, store)).toEqual([{ redrive: 1, done: true }]);
    expect(await json('discard', '--reason', 'handler_failed', '--yes', store)).toEqual([
      { discard: 1, done: true },
    ]);
    expect(await json('stats', store)).toMatchObject([{ dead: 0, open: 2 }]);
    const again = await hookproof(['inbox', 'discard', id, store]);
    expect([again.code, again.stdout]).toEqual([1, `0 discarded: no dead letter matches ${id}.\n`]);
  });

  test.each([
    ['an empty file', ''],
    ['a file of text', 'id,status\n'.repeat(20)],
  ])('leaves %s as it is', async (_, content) => {
    const folder = emptyFolder();
    const file = join(folder, 'events.db');
    writeFileSync(file, content);
    const { code, stderr } = await hookproof(['inbox', `--store=sqlite:${file}`]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('has no tables of one')]);
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual([content, ['events.db']]);
  });

  testWith('postgres')('reads a store in PostgreSQL, whose tables it does not create', async () => {
    const url = await freshDatabase();
    const early = await hookproof(['inbox', '--store', url]);
    expect(early.code).toBe(2);
    expect(early.stderr).toMatch(/got none\. Name the database and the schema of the app\./);
    const pool = new Pool({ connectionString: url });
    await fill(postgresStore({ pool }));
    expect(await json('stats', '--store', url)).toMatchObject([{ open: 1, dead: 2 }]);
    expect(await json('redrive', '--yes', '--store', url)).toEqual([{ redrive: 2, done: true }]);
    await pool.query('UPDATE hookproof.format SET number = 99');
    await pool.end();
    const newer = await hookproof(['inbox', '--store', url]);
    expect([newer.code, newer.stderr]).toEqual([
      2,
      expect.stringMatching(
        /^error: Schema hookproof must have .+, got format 99 of a newer version/,
      ),
    ]);
  });

  test('counts handled events before it replays them', async () => {
    const store = await filledFile();
    const counted = await hookproof(['inbox', 'replay', store]);
    expect(counted.stdout).toBe('2 would be replayed. Add --yes.\n');
    const filter = ['--handler', 'pending', '--run', 'exec_1', '--since', '2026-01-01T00:00Z'];
    const dry = await hookproof(['inbox', 'replay', ...filter, '--yes', '--dry-run', store]);
    expect(dry.stdout).toBe('1 would be replayed. Nothing was changed.\n');
    expect(await json('replay', '--until', '2026-01-01T00:00:00Z', '--yes', store)).toEqual([
      { replay: 0, done: true },
    ]);
    expect(await json('stats', store)).toMatchObject([{ open: 1 }]);
    expect(await json('replay', ...filter, '--yes', store)).toEqual([{ replay: 1, done: true }]);
    expect(await json('stats', store)).toMatchObject([{ open: 2 }]);
    const waiting = await hookproof(['inbox', 'waiting', store]);
    expect(waiting.stdout).toMatch(/exec_1 {2}pending {2}due, a replay\n/);
    await failAll(sqliteStore({ file: store.replace('--store=', '') }));
    const dead = await hookproof(['inbox', 'dead', store, '--run', 'exec_1']);
    expect(dead.stdout).toMatch(/ 1 attempt, a replay\n {4}Error: still down\n/);
    const run = await hookproof(['inbox', 'show', 'exec_1', store]);
    expect(run.stdout).toMatch(/pending {5}dead, a replay {2}whev_/);
    const unknown = await hookproof(['inbox', 'replay', 'whev_unknown', store]);
    expect([unknown.code, unknown.stdout]).toEqual([
      1,
      '0 replayed: no handled event whose body is kept matches whev_unknown.\n',
    ]);
  });

  test('says how to list the events of a key, which is no run', async () => {
    const file = join(emptyFolder(), 'events.db');
    const store = `--store=${file}`;
    const receiver = createReceiver({
      store: sqliteStore({ file }),
      sources: { code: github({ secrets }) },
    });
    await receiver.start({ work: false });
    const payload = { repository: { full_name: 'octo/cat' }, pull_request: { number: 12 } };
    const event = { id: 'delivery-1', event: 'pull_request', payload };
    const { headers, body } = githubSigner({ secret: secrets }).sign(event, Date.now());
    await receiver.source('code').receive({ method: 'POST', headers, body });
    await receiver.close();
    const source = ['--source', 'code', store];
    const shown = await hookproof(['inbox', 'show', 'octo/cat#12', ...source]);
    expect([shown.code, shown.stderr]).toEqual([
      1,
      'The store knows no run and no event octo/cat#12. It is a key of code. ' +
        'Its events: hookproof inbox waiting --run octo/cat#12 --source code\n',
    ]);
    const unknown = await hookproof(['inbox', 'show', 'octo/dog', ...source]);
    expect(unknown.stderr).toBe('The store knows no run and no event octo/dog.\n');
  });

  test.each([
    ['discard', '0 discarded: there is no dead letter.\n'],
    ['redrive', '0 redriven: there is no dead letter.\n'],
    ['replay', '0 replayed: there is no handled event whose body is kept.\n'],
  ])('%s without a filter says that an empty store has nothing for it', async (action, said) => {
    const file = join(emptyFolder(), 'events.db');
    const processor = createProcessor({ store: sqliteStore({ file }) });
    await processor.start({ work: false });
    await processor.close();
    const { code, stdout } = await hookproof(['inbox', action, `--store=${file}`]);
    expect([code, stdout]).toEqual([0, said]);
  });

  test('pauses and resumes', async () => {
    const store = await filledFile();
    expect(await json('pause', store)).toEqual([{ paused: ['*'] }]);
    expect(await json('pause', 'completed', store)).toEqual([{ paused: ['*', 'completed'] }]);
    expect(await json('resume', store)).toEqual([{ paused: ['completed'] }]);
    const stats = await hookproof(['inbox', store]);
    expect(stats.stdout).toContain('paused   completed\n');
    const ofSource = ['pause', '--source', 'stripe', store];
    expect(await json(...ofSource)).toEqual([{ paused: ['completed', 'stripe/*'] }]);
    expect(await json(...ofSource, 'invoice.paid')).toEqual([
      { paused: ['completed', 'stripe/*', 'stripe/invoice.paid'] },
    ]);
    expect(await json('resume', '--source', 'stripe', store)).toEqual([
      { paused: ['completed', 'stripe/invoice.paid'] },
    ]);
    const typed = await hookproof(['inbox', 'pause', 'invoice.paid', store]);
    expect([typed.code, typed.stderr]).toEqual([2, expect.stringContaining('with --source')]);
  });
});
