import { crc32 } from 'node:zlib';

import { readArchive } from '@hookproof/conformance/hooks';
import type { Incoming } from '@hookproof/conformance/hooks';

import { withBytes } from './message.ts';

/** The files of an archive by path. */
export type Files = Map<string, Buffer>;

/** The response after `edit` has changed the files of its archive. Any other response is returned unchanged. */
export async function editArchive(
  response: Incoming,
  edit: (files: Files) => Files | void,
): Promise<Incoming> {
  if (response.status !== 200 || response.bytes[0] !== LOCAL_HEADER[0]) return response;
  const files = new Map(await readArchive(response.bytes));
  return withBytes(response, archiveOf(edit(files) ?? files));
}

const LOCAL_HEADER = [0x50, 0x4b, 0x03, 0x04];
const CENTRAL_HEADER = [0x50, 0x4b, 0x01, 0x02];
const END_RECORD = [0x50, 0x4b, 0x05, 0x06];
const VERSION = 20;
const UTF8_NAMES = 0x0800;

/**
 * A ZIP archive of these files without compression. A path with a slash at its end is a folder. A library would write the
 * backslashes of a defect as slashes.
 */
function archiveOf(files: ReadonlyMap<string, Buffer>): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of files) {
    const name = Buffer.from(path);
    const fields = [
      short(VERSION, UTF8_NAMES, 0, 0, 0),
      long(crc32(content), content.length, content.length),
      short(name.length, 0),
    ];
    const local = Buffer.concat([Buffer.from(LOCAL_HEADER), ...fields, name, content]);
    const place = [short(0, 0, 0), long(0, offset), name];
    centrals.push(
      Buffer.concat([Buffer.from(CENTRAL_HEADER), short(VERSION), ...fields, ...place]),
    );
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(centrals);
  const end = [short(0, 0, files.size, files.size), long(central.length, offset), short(0)];
  return Buffer.concat([...locals, central, Buffer.from(END_RECORD), ...end]);
}

function short(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, 2 * index);
  return bytes;
}

function long(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index);
  return bytes;
}

/** The files whose path passes. */
export function filtered(files: Files, keep: (path: string) => boolean): Files {
  return new Map([...files].filter(([path]) => keep(path)));
}

/** The files under other paths. */
export function renamed(files: Files, rename: (path: string) => string): Files {
  return new Map([...files].map(([path, content]) => [rename(path), content]));
}
