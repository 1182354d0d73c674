import type { Clock, RunWithMoves } from '@hookproof/spec/control';
import { array, assert, asyncProperty, constantFrom, nat, tuple } from 'fast-check';
import { expect, test } from 'vitest';

import { send } from '../../send.ts';
import { listenAt } from '../../events/endpoint-listener.ts';
import { startControlled } from './control-client.ts';
import { openStream } from './event-stream.ts';
import type { StreamReader } from './event-stream.ts';
import { Replica } from './replica.ts';

type Control = Awaited<ReturnType<typeof startControlled>>;

/** A program that reads the lists, follows the stream and loses its connection now and then. */
class Follower {
  replica = new Replica();
  readonly #control: Control;
  readonly #ids: string[] = [];
  #stream: StreamReader | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(control: Control) {
    this.#control = control;
  }

  /** Connects. Continues after the last row that was read, if there was one. */
  async connect(lastId = this.#ids.at(-1)): Promise<void> {
    const stream = await openStream(this.#control.server, lastId);
    this.#stream = stream;
    const first = (await stream.next()) ?? expect.unreachable();
    if (lastId === undefined || first.event === 'reset') {
      this.replica = await Replica.read(this.#control);
      this.#ids.push(first.id);
    } else expect(first).toMatchObject({ event: 'ready', data: { reason: 'resumed' } });
    this.#reading = this.#read(stream);
  }

  /** Closes the connection, whatever is on its way. */
  async cut(): Promise<void> {
    const stream = this.#stream;
    this.#stream = undefined;
    stream?.close();
    await this.#reading;
  }

  /** Resolves when the clock of the replica shows this time. */
  async catchUp(now: string): Promise<void> {
    await expect.poll(() => this.replica.clock?.now).toBe(now);
  }

  async #read(stream: StreamReader): Promise<void> {
    for (let row = await stream.next(); row !== null; row = await stream.next()) {
      if (this.#stream !== stream) return;
      expect(this.#ids, 'a row came twice').not.toContain(row.id);
      this.#ids.push(row.id);
      this.replica.apply(row);
    }
  }
}

interface Scene {
  readonly control: Control;
  readonly follower: Follower;
  /** Returns an entry of a list, or undefined if it is empty. */
  readonly pick: <T = { readonly id: string }>(path: string) => Promise<T | undefined>;
  /** Of an app that accepts every second delivery. */
  readonly url: string;
  readonly number: number;
}

const DEAD = 'http://127.0.0.1:1/';

async function remove({ control, pick }: Scene, path: string): Promise<void> {
  const found = await pick(path);
  if (found !== undefined) await control.call(`${path}/${found.id}`, { method: 'DELETE' });
}

/** What a person or a program does. A call that the server refuses is fine too. */
const ACTIONS: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  createWorld: ({ control, number }) =>
    control.call('/worlds', { json: { label: `world ${number}` } }),
  deleteWorld: (scene) => remove(scene, '/worlds'),
  createKey: ({ control }) => control.call('/keys', { json: { wildcard: true } }),
  revokeKey: (scene) => remove(scene, '/keys'),
  createEndpoint: ({ control, url, number }) =>
    control.call('/webhook-endpoints', { json: { url: number % 2 === 0 ? DEAD : url } }),
  changeEndpoint: async ({ control, pick, number }) => {
    const found = await pick('/webhook-endpoints');
    const json = { enabled: number % 2 === 0, headers: { 'x-number': String(number) } };
    await control.call(`/webhook-endpoints/${found?.id}`, { method: 'PATCH', json });
  },
  deleteEndpoint: (scene) => remove(scene, '/webhook-endpoints'),
  sendTest: async ({ control, pick }) =>
    control.call(`/webhook-endpoints/${(await pick('/webhook-endpoints'))?.id}/test`, { json: {} }),
  createRun: ({ control, number }) => {
    const later = { status: 'running', afterMilliseconds: number };
    return control.call('/runs', { json: { status: 'pending', scheduledTransitions: [later] } });
  },
  moveRun: async ({ control, pick, number }) => {
    const run = await pick<RunWithMoves>('/runs?order=newest&limit=3');
    const moves = run?.allowedMoves ?? [];
    const status = moves[number % Math.max(1, moves.length)] ?? 'running';
    await control.call(`/runs/${run?.id}/moves`, { json: { status } });
  },
  redeliver: async ({ control, pick }) =>
    control.call(`/deliveries/${(await pick('/deliveries'))?.id}/redeliver`, { json: {} }),
  injectDeliveryFault: ({ control, number }) => {
    const name = ['duplicate', 'drop-then-redeliver', 'wrong-secret'][number % 3];
    return control.call('/delivery-faults', { json: { name, deliveries: 1 + (number % 4) } });
  },
  removeDeliveryFault: (scene) => remove(scene, '/delivery-faults'),
  injectApiFault: ({ control, number }) => {
    const { keys } = control.server.world;
    const match = number % 2 === 0 ? { key: keys.wildcard } : { operationId: 'checkAuth' };
    const json = { match, nth: 1 + (number % 3), effect: { status: 503 } };
    return control.call('/api-faults', { json });
  },
  removeApiFault: (scene) => remove(scene, '/api-faults'),
  request: ({ control: { server }, number }) => {
    const { wildcard, ocr } = server.world.keys;
    const headers = { authorization: `Bearer ${number % 2 === 0 ? wildcard : ocr}` };
    const path = ['/v1/auth/check', '/v1/agents', '/v1/nothing'][number % 3] ?? '/';
    return send(server.baseUrl, { method: 'GET', path, headers });
  },
  changeLimits: ({ control, number }) => {
    const accounting = number % 3 === 0 ? 'unavailable' : 'available';
    const rateLimit = number % 2 === 0 ? null : { requests: number + 1, windowSeconds: 60 };
    return control.call('/limits', { method: 'PATCH', json: { accounting, rateLimit } });
  },
  advance: ({ control, number }) => control.advance(number * 100),
  cut: async ({ follower }) => {
    await follower.cut();
    await follower.connect();
  },
  lost: async ({ follower }) => {
    await follower.cut();
    await follower.connect('00000000-1');
  },
};

const step = tuple(constantFrom(...Object.keys(ACTIONS)), nat({ max: 50 }));

test(
  'lists and stream give a program what the server has, whatever happens and however it is cut off',
  { timeout: 120_000 },
  async () => {
    await assert(
      asyncProperty(array(step, { minLength: 40, maxLength: 80 }), async (steps) => {
        const control = await startControlled();
        const { url } = await listenAt((response, number) => {
          response.writeHead(number % 2 === 0 ? 200 : 503).end();
        });
        const follower = new Follower(control);
        await follower.connect();
        for (const [name, number] of steps) {
          const pick: Scene['pick'] = async (path) => {
            const { data } = await control.expectOk<{ data: never[] }>(200, path);
            return data.at(-1 - (number % Math.max(1, data.length)));
          };
          await ACTIONS[name]?.({ control, follower, pick, url, number });
        }
        await control.idle();
        const { now } = await control.expectOk<Clock>(200, '/clock/advance', { milliseconds: 1 });
        await follower.catchUp(now);
        const actual = await Replica.read(control);
        expect(follower.replica.attempts).toEqual(actual.attempts);
        expect(follower.replica.entries).toEqual(actual.entries);
        expect(follower.replica.limits).toEqual(actual.limits);
        await follower.cut();
        await control.server.close();
      }),
      { numRuns: 2, seed: 1_306 },
    );
  },
);
