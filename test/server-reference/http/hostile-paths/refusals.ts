import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createServer, virtualClock } from '@hookproof/server-reference';
import type { Logger, ReferenceServer, ServerOptions } from '@hookproof/server-reference';
import { expect, onTestFinished } from 'vitest';

import { emptyFolder } from '../../../empty-folder.ts';
import { assertContract } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { START } from '../../lab/control/control-client.ts';
import { durableState } from '../../durable-state.ts';
import { exchange, wholeResponses } from '../../raw-exchange.ts';
import { recordingLogger } from '../../store/recording-logger.ts';
import { HOSTILE_SPELLINGS, spell } from './corpus.ts';
import { pathPlaces } from './path-operations.ts';
import type { PathPlace } from './path-operations.ts';

/** A part of the product of paths and spellings. Each path has another part of the spellings. */
interface Share {
  /** Into how many parts the spellings are divided. With no more parts than paths, every spelling is in one. */
  readonly parts: number;
  /** The part of the first path. */
  readonly first: number;
}

export const WHOLE: Share = { parts: 1, first: 0 };

const CANARY = 'canary-that-no-response-may-hold';
const PIPELINED = 60;

function requestOf({ method, before, after, body }: PathPlace, value: string, key: string): string {
  return [
    `${method} ${before}${value}${after} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
    '',
    body,
  ].join('\r\n');
}

/** After such a request line the server can close the connection. */
function endsConnection(value: string): boolean {
  return value.length > 10_000 || /[^!-~]/.test(value);
}

async function responsesTo(
  server: ReferenceServer,
  place: PathPlace,
  values: readonly string[],
): Promise<ApiResponse[]> {
  const key = server.world.keys.wildcard;
  const requests = values.map((value) => requestOf(place, value, key));
  const responses = wholeResponses(
    await exchange(server.baseUrl, requests.join(''), values.length),
  );
  expect(responses.length, `${place.operationId} ${values.join(' ')}`).toBe(values.length);
  return responses;
}

function expectRefusal(response: ApiResponse, place: PathPlace, value: string): void {
  const where = `${place.operationId} ${place.before}${value.slice(0, 200)}${place.after}`;
  expect([400, 404, 405], `${where} -> ${response.status}`).toContain(response.status);
  expect(JSON.stringify(response.body), where).not.toContain(CANARY);
}

/** Every file below a folder with its size, except what a commit changes. */
async function listing(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const lines = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return `${path} ${name.startsWith('state-') ? '' : (await stat(path)).size}`;
    }),
  );
  return lines.toSorted();
}

/** Sends a share of the spellings to a server on a folder. Nothing in or beside the folder changes. */
export async function expectRefusalsOnFolder(share: Share): Promise<void> {
  const outside = emptyFolder();
  const folder = join(outside, 'data');
  await mkdir(folder);
  await writeFile(join(outside, 'canary.txt'), CANARY);
  await writeFile(join(folder, 'canary.txt'), CANARY);
  const logger = recordingLogger();
  const server = await start({ kind: 'folder', path: folder }, logger);
  const stateBefore = await durableState(server, folder);
  const filesBefore = await listing(outside);
  await expectRefusals(server, share);
  expect(await listing(outside)).toEqual(filesBefore);
  expect((await durableState(server, folder)) === stateBefore).toBe(true);
  expect(logger.lines).toEqual([]);
}

/** Sends a share of the spellings to a server in memory. */
export async function expectRefusalsInMemory(share: Share): Promise<void> {
  const logger = recordingLogger();
  await expectRefusals(await start({ kind: 'memory' }, logger), share);
  expect(logger.lines).toEqual([]);
}

export async function start(
  store: ServerOptions['store'],
  logger: Logger,
): Promise<ReferenceServer> {
  const server = await createServer({ store, clock: virtualClock({ now: START }), logger });
  onTestFinished(() => server.close());
  return server;
}

async function expectRefusals(server: ReferenceServer, { parts, first }: Share): Promise<void> {
  const forms = new Set<string>();
  for (const [number, place] of pathPlaces(server.world).entries()) {
    const part = HOSTILE_SPELLINGS.filter((_, index) => (index + number + first) % parts === 0);
    const values = [...new Set(part.map((one) => spell(one, place.valid)))];
    const alone = values.filter(endsConnection).map((value) => [value]);
    const others = values.filter((value) => !endsConnection(value));
    const batches = Array.from({ length: Math.ceil(others.length / PIPELINED) }, (_, index) =>
      others.slice(index * PIPELINED, (index + 1) * PIPELINED),
    );
    for (const batch of [...batches, ...alone]) {
      const responses = await responsesTo(server, place, batch);
      for (const [index, response] of responses.entries()) {
        expectRefusal(response, place, batch[index] ?? '');
        const { status, body } = response;
        const form = JSON.stringify([status, Object.keys(body), body.issues]);
        // Of equal responses, one is compared with the document.
        if (!forms.has(form)) assertContract('GET', '/raw', response);
        forms.add(form);
      }
    }
  }
}
