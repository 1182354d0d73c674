import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { open, rename, stat, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';

import { StoreError } from './store.ts';

/** An exclusive lock on a folder. */
export interface FolderLock {
  /** Throws if another server has taken the folder over. */
  check(): void;
  release(): Promise<void>;
}

/**
 * Locks a folder for this server, by its device and inode, so that every path to it means the same lock: a
 * link, a bind mount, a path in a container.
 *
 * The lock is two listening local sockets, which the operating system closes when the process ends for any
 * reason. The first is named after the inode. It decides between servers in one network namespace. The second
 * is the file `lock` in the folder, which is reached from every namespace. A file that refuses connections was
 * left behind by a kill and is replaced by one rename.
 *
 * @throws {StoreError} `store_locked`
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const { dev, ino } = await stat(folder, { bigint: true });
  const name = `hookproof-${dev}-${ino}`;
  const named = await listenAlone(socketAddress(name), folder);
  if (platform() !== 'linux') {
    return { check: () => {}, release: () => stop(named) };
  }
  try {
    const file = await lockFile(folder);
    return {
      check: () => file.check(),
      release: async () => {
        await file.release();
        await stop(named);
      },
    };
  } catch (error) {
    await stop(named);
    throw error;
  }
}

/** An abstract socket on Linux, a named pipe on Windows, else a socket file. */
function socketAddress(name: string): string {
  if (platform() === 'linux') return `\0${name}`;
  if (platform() === 'win32') return `\\\\.\\pipe\\${name}`;
  return join(tmpdir(), `${name}.sock`);
}

async function listenAlone(address: string, folder: string): Promise<Server> {
  try {
    return await listen(address);
  } catch (error) {
    const isFile = platform() !== 'linux' && platform() !== 'win32';
    if (!hasCode(error, 'EADDRINUSE') || !isFile || (await isHeld(address))) {
      throw refusal(folder, error);
    }
    await unlink(address).catch(() => undefined);
    return listen(address).catch((again: unknown) => {
      throw refusal(folder, again);
    });
  }
}

/** Listens on the file `lock`. Where a folder cannot contain sockets, the named socket must be enough. */
async function lockFile(folder: string): Promise<FolderLock> {
  const handle = await open(folder, 'r');
  try {
    // The address of a socket has at most 107 bytes, and the path of the folder may be longer.
    const inside = `/proc/self/fd/${handle.fd}`;
    const path = join(inside, 'lock');
    if (await isHeld(path)) throw refusal(folder, new Error(`${folder}/lock is in use`));
    const own = join(inside, `lock.${randomBytes(6).toString('hex')}`);
    const server = await listen(own);
    try {
      const { ino } = await stat(own, { bigint: true });
      await rename(own, path);
      return heldFile(folder, path, ino, server, handle);
    } catch (error) {
      // A server that is not stopped keeps the process alive. It also deletes its own file.
      await stop(server);
      throw error;
    }
  } catch (error) {
    await handle.close();
    if (error instanceof StoreError) throw error;
    return { check: () => {}, release: async () => {} };
  }
}

function heldFile(
  folder: string,
  path: string,
  ino: bigint,
  server: Server,
  handle: FileHandle,
): FolderLock {
  const isOwn = (): boolean => inodeAt(path) === ino;
  return {
    check() {
      if (!isOwn()) throw refusal(folder, new Error(`${folder}/lock was replaced`));
    },
    async release() {
      if (isOwn()) await unlink(path);
      await stop(server);
      await handle.close();
    },
  };
}

function inodeAt(path: string): bigint | undefined {
  try {
    return statSync(path, { bigint: true }).ino;
  } catch {
    return undefined;
  }
}

/** Returns whether a server listens at an address. A file that is left behind refuses connections. */
function isHeld(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(address);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', (error) =>
      resolve(!hasCode(error, 'ECONNREFUSED') && !hasCode(error, 'ENOENT')),
    );
  });
}

function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function refusal(folder: string, cause: unknown): StoreError {
  return new StoreError(
    'store_locked',
    `The data folder ${folder} is in use by another server. Stop that server, or use another folder.`,
    { cause },
  );
}
