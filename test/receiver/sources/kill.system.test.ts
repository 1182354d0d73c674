import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';

import { runTimeline, signEvent } from '@hookproof/receiver/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { compiledProgram } from '../../compiled-program.ts';
import { emptyFolder } from '../../empty-folder.ts';
import { freshDatabase } from '../../services/databases.ts';
import { describeWith } from '../../services/local-server.ts';
import { SECRETS } from './programs/secrets.ts';
import { GITHUB, STANDARD, STRIPE } from './senders.ts';
import type { Headers } from './senders.ts';

const PROGRAM = compiledProgram(new URL('programs/four-senders.ts', import.meta.url));
const KEYS = 10;
const PER_KEY = 8;
const KILLS = 6;

/** One event, and how its sender signs it now. */
interface Delivery {
  readonly source: string;
  readonly key: string;
  readonly id: string;
  readonly body: Buffer;
  readonly sign: () => Promise<Headers>;
}

/** The events of each key of each sender, in the order in which they are sent. */
function chains(): readonly (readonly Delivery[])[] {
  const numbers = Array.from({ length: KEYS }, (_, index) => index + 1);
  const places = Array.from({ length: PER_KEY }, (_, index) => index + 1);
  return numbers.flatMap((number) => [
    runTimeline(['pending', 'running', 'waiting', 'running', 'finalizing', 'completed'], {
      run: { id: `exec_${number}` },
    }).map((event): Delivery => {
      const signed = () => signEvent(event, { secret: SECRETS.runs });
      const sign = async () => signed().headers;
      return { source: 'runs', key: `exec_${number}`, id: event.id, body: signed().body, sign };
    }),
    places.map((place): Delivery => {
      const [key, id] = [`in_${number}`, `evt_${number}_${place}`];
      const object = { id: key };
      const body = Buffer.from(
        JSON.stringify({ id, type: 'invoice.updated', created: 1, data: { object } }),
      );
      return { source: 'stripe', key, id, body, sign: () => STRIPE.sign(body, Date.now()) };
    }),
    places.map((place): Delivery => {
      const [key, id] = [`contact_${number}`, `msg_${number}_${place}`];
      const body = Buffer.from(JSON.stringify({ type: 'contact.updated', data: { contact: key } }));
      const sign = () => STANDARD.sign(body, Date.now(), undefined, id);
      return { source: 'crm', key, id, body, sign };
    }),
    places.map((place): Delivery => {
      const [key, id] = [`octo/cat#${number}`, `delivery-${number}-${place}`];
      const payload = {
        action: 'edited',
        issue: { number },
        repository: { full_name: 'octo/cat' },
      };
      const body = Buffer.from(JSON.stringify(payload));
      const sign = async () => ({ ...(await GITHUB.sign(body, 0)), 'x-github-delivery': id });
      return { source: 'code', key, id, body, sign };
    }),
  ]);
}

/** One life of the app: the lines that it printed. */
interface Life {
  readonly lines: readonly string[];
  readonly port: Promise<string>;
  readonly kill: () => Promise<void>;
}

function startApp(store: string, address: string): Life {
  const child = spawn(process.execPath, [PROGRAM, store, address], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const lines: string[] = [];
  const port = new Promise<string>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('port ')) resolve(line.slice(5));
      else lines.push(line);
    });
  });
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await closed;
  };
  onTestFinished(kill);
  return { lines, port, kill };
}

/** Sends everything, as senders or people do that send a delivery again until it gets a 2xx, and kills the app. */
async function killDuringAll(store: string, address: string): Promise<readonly Life[]> {
  const lives = [startApp(store, address)];
  const latest = (): Life => lives.at(-1) ?? startApp(store, address);
  let sent = 0;
  const send = async ({ source, body, sign }: Delivery): Promise<void> => {
    for (;;) {
      const url = `http://127.0.0.1:${await latest().port}/${source}`;
      const headers = { 'content-type': 'application/json', ...(await sign()) };
      const init = { method: 'POST', headers, body: new Uint8Array(body) };
      const status = await fetch(url, init).then(
        (response) => response.status,
        () => 0,
      );
      if (status >= 200 && status < 300) break;
      expect([0, 503]).toContain(status);
      await setTimeout(20);
    }
    sent += 1;
  };
  const all = chains();
  const total = all.flat().length;
  const sending = Promise.all(
    all.map(async (chain) => {
      for (const delivery of chain) await send(delivery);
    }),
  );
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await expect.poll(() => sent, WAIT).toBeGreaterThan((kill * total) / (KILLS + 2));
    // The senders wait for the port of this life, so it must have one before it ends.
    await latest().port;
    await latest().kill();
    lives.push(startApp(store, address));
  }
  await sending;
  const stats = async (): Promise<string> =>
    (await fetch(`http://127.0.0.1:${await latest().port}/stats`)).text();
  await expect.poll(stats, WAIT).toBe('0 0');
  return lives;
}

const WAIT = { timeout: 120_000, interval: 5 };

const words = (line: string): readonly string[] => line.split(' ');

function check(lives: readonly Life[]): void {
  const lines = lives.flatMap((life) => life.lines);
  const ended = lines.filter((line) => line.startsWith('end '));
  for (const chain of chains()) {
    const ids = chain.map(({ id }) => id);
    const [{ source, key } = { source: '', key: '' }] = chain;
    const ofKey = ended.filter((line) => line.startsWith(`end ${source} ${key} `));
    const inOrder = [...new Set(ofKey.map((line) => words(line)[3]))];
    // Nothing is lost, and the first end of each event is in order.
    expect(inOrder).toEqual(ids);
  }
  // Only the event that a killed process had begun last of its key may be handled again.
  const finished = new Set<string>();
  for (const { lines: printed } of lives) {
    const begun = new Map<string, string>();
    for (const line of printed) {
      const [what, source, key, id = ''] = words(line);
      if (what !== 'begin') continue;
      expect(finished).not.toContain(`${source} ${id}`);
      const before = begun.get(`${source} ${key}`);
      if (before !== undefined && before !== id) finished.add(`${source} ${before}`);
      begun.set(`${source} ${key}`, id);
    }
  }
}

describe('an app with four senders that is killed again and again, on SQLite', () => {
  it('loses nothing, repeats only what had begun, and keeps the order of each key', async () => {
    check(await killDuringAll('sqlite', path.join(emptyFolder(), 'events.db')));
  });
});

describeWith('postgres')(
  'an app with four senders that is killed again and again, on PostgreSQL',
  () => {
    it('loses nothing, repeats only what had begun, and keeps the order of each key', async () => {
      check(await killDuringAll('postgres', await freshDatabase()));
    });
  },
);
