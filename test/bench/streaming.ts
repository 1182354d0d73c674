import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';

import { request } from 'undici';

import { atMost } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { median } from './median.ts';
import { startFiles, startReference } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

const BYTES = 2 ** 30;
const DATASET_FILES = 4;
const ROUNDS = 3;
const BAR_MEGABYTES = 150;
const BLOCK = Buffer.alloc(2 ** 16, 'a block of bytes; ');
const BOUNDARY = 'bench-boundary';

/** Uploads or downloads 1 GiB. */
type Transfer = (server: ServerProcess) => Promise<unknown>;

/** Measures transfers of 1 GiB. Each uses a new server process with a folder store. */
export const streaming: Bench = {
  title: `1 GiB through the server on a folder, median of ${ROUNDS} rounds, peak resident memory`,
  async run() {
    const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-bench-'));
    const store = { kind: 'folder', path: path.join(folder, 'data') };
    const { fileId, automationId, exampleId } = await prepare(store);
    const file = download(`/v1/files/${fileId}/content`);
    const dataset = download(
      `/v1/automations/${automationId}/dataset/export?exampleIds=${exampleId}`,
    );
    const bare = await startFiles(folder);
    const floors = { sent: putBytes('/'), fetched: download('/') };
    const rows: Row[] = [];
    for (const [what, transfer, floor] of [
      ['upload as multipart', uploadForm, floors.sent],
      ['upload straight to storage', uploadDirect, floors.sent],
      ['download of a file', file, floors.fetched],
      [`export of ${DATASET_FILES} files`, dataset, floors.fetched],
    ] as const) {
      const reference = await startReference(store);
      const times = { reference: [] as number[], bare: [] as number[] };
      for (let round = 0; round < ROUNDS; round += 1) {
        times.bare.push(await seconds(floor, bare));
        times.reference.push(await seconds(transfer, reference));
      }
      rows.push(row(what, times, await reference.peakBytes()));
      await reference.stop();
    }
    await bare.stop();
    await rm(folder, { recursive: true });
    return rows;
  },
};

/** Creates a file of 1 GiB, and an example with different files of the same total size. */
async function prepare(
  store: object,
): Promise<Record<'fileId' | 'automationId' | 'exampleId', string>> {
  const server = await startReference(store);
  const { baseUrl, controlToken } = server.ready;
  const { id: fileId } = await uploadForm(server);
  const example = await requestJson<Record<'id' | 'automationId', string>>(
    `${baseUrl}/_control/examples`,
    {
      method: 'POST',
      headers: { ...bearer(controlToken), 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'large',
        input: Array.from({ length: DATASET_FILES }, (_, index) => ({
          path: `part-${index}.bin`,
          size: BYTES / DATASET_FILES + index,
        })),
      }),
    },
  );
  await server.stop();
  return { fileId, automationId: example.automationId, exampleId: example.id };
}

function row(
  what: string,
  times: Readonly<Record<'reference' | 'bare', readonly number[]>>,
  peakBytes: number,
): Row {
  const rates = [times.reference, times.bare].map((all) => BYTES / 1e6 / median(all));
  const [rate = Number.NaN, floor = Number.NaN] = rates;
  const megabytes = peakBytes / 1e6;
  return {
    what,
    measured: `peak ${megabytes.toFixed(0)} MB, ${rate.toFixed(0)} MB/s`,
    against: `bare node:http and fs ${floor.toFixed(0)} MB/s`,
    ratio: rate / floor,
    bar: atMost(BAR_MEGABYTES, megabytes),
  };
}

async function seconds(transfer: Transfer, server: ServerProcess): Promise<number> {
  const start = performance.now();
  await transfer(server);
  return (performance.now() - start) / 1000;
}

function download(address: string): Transfer {
  return async function fetchAll({ ready }) {
    const { statusCode, body } = await request(ready.baseUrl + address, {
      headers: bearer(ready.key),
    });
    let size = 0;
    for await (const chunk of body) size += (chunk as Buffer).length;
    if (statusCode !== 200 || size < BYTES) throw new Error(`${statusCode}, ${size} bytes`);
  };
}

function putBytes(address: string): Transfer {
  return async function send({ ready }) {
    await put(new URL(address, ready.baseUrl).href, {});
  };
}

async function put(address: string, headers: Record<string, string>): Promise<void> {
  const { statusCode, body } = await request(address, {
    method: 'PUT',
    headers: { ...headers, 'content-length': String(BYTES) },
    body: Readable.from(blocks()),
  });
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`${address} got ${statusCode}: ${text}`);
}

async function uploadForm({ ready }: ServerProcess): Promise<{ id: string }> {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const tail = `\r\n--${BOUNDARY}--\r\n`;
  return requestJson(`${ready.baseUrl}/v1/files`, {
    method: 'POST',
    headers: {
      ...bearer(ready.key),
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': String(head.length + BYTES + tail.length),
    },
    body: Readable.from(blocks(head, tail)),
  });
}

async function uploadDirect({ ready }: ServerProcess): Promise<void> {
  const headers = bearer(ready.key);
  const { uploadId, uploadUrl, ...upload } = await requestJson<{
    uploadId: string;
    uploadUrl: string;
    headers: Record<string, string>;
  }>(`${ready.baseUrl}/v1/files/uploads`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      filename: 'large.bin',
      contentType: 'application/octet-stream',
      size: BYTES,
    }),
  });
  await put(uploadUrl, upload.headers);
  await requestJson(`${ready.baseUrl}/v1/files/uploads/${uploadId}/complete`, {
    method: 'POST',
    headers,
  });
}

async function requestJson<T>(address: string, options: Parameters<typeof request>[1]): Promise<T> {
  const { statusCode, body } = await request(address, options);
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`${address} got ${statusCode}: ${text}`);
  return JSON.parse(text) as T;
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/** Yields 1 GiB between `head` and `tail`. */
function* blocks(head = '', tail = ''): Generator<Uint8Array> {
  yield Buffer.from(head);
  for (let sent = 0; sent < BYTES; sent += BLOCK.length) yield BLOCK;
  yield Buffer.from(tail);
}
