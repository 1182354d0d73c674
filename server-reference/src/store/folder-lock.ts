import { createHash } from 'node:crypto';
import { lstat, open, stat, unlink } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { platform } from 'node:os';
import { join } from 'node:path';

import { StoreError } from './store.ts';

/** An exclusive lock on a folder. */
export interface FolderLock {
  /** @throws {StoreError} `store_locked` if another server has taken the folder over */
  check(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Locks a folder for this server, which listens at the socket `lock` in it. The operating system closes the socket when
 * the process ends for any reason, and every path to the folder leads to the same socket, also from a container.
 *
 * @throws {StoreError} `store_locked`, or `store_unusable_folder` if `lock` is another kind of file
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  if (platform() === 'win32') return lockByPipe(folder);
  // The address of a socket has at most 107 bytes, and the path of a folder may be longer.
  const handle = platform() === 'linux' ? await open(folder, 'r') : null;
  const path = join(handle === null ? folder : `/proc/self/fd/${handle.fd}`, 'lock');
  try {
    const server = await listenAlone(path, folder);
    const { ino } = await stat(path, { bigint: true });
    return {
      async check() {
        const found = await stat(path, { bigint: true }).catch(() => null);
        if (found?.ino !== ino) throw locked(folder, `${folder}/lock was replaced`);
      },
      async release() {
        await stop(server);
        await handle?.close();
      },
    };
  } catch (error) {
    await handle?.close();
    throw error;
  }
}

/** Windows has no sockets in folders. A pipe is closed with its process too. */
async function lockByPipe(folder: string): Promise<FolderLock> {
  const name = createHash('sha256').update(folder.toLowerCase()).digest('hex');
  const server = await listen(`\\\\.\\pipe\\hookproof-${name}`).catch((cause: unknown) => {
    throw locked(folder, cause);
  });
  return { check: async () => {}, release: () => stop(server) };
}

/** A socket that refuses connections was left behind by a kill. */
async function listenAlone(path: string, folder: string): Promise<Server> {
  try {
    return await listen(path);
  } catch (error) {
    if (NO_SOCKETS.some((code) => hasCode(error, code))) throw withoutSockets(folder, error);
    if (!hasCode(error, 'EADDRINUSE')) throw error;
    const found = await lstat(path).catch(() => null);
    if (found?.isSocket() === false) throw notSocket(folder);
    if (await isInUse(path)) throw locked(folder, error);
    await unlink(path);
    return listen(path).catch((cause: unknown) => {
      throw locked(folder, cause);
    });
  }
}

function isInUse(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path, () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', (error) => resolve(!hasCode(error, 'ECONNREFUSED')));
  });
}

function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, () => resolve(server));
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** How file systems refuse a socket, such as a folder that Docker Desktop shares. */
const NO_SOCKETS = ['ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EINVAL'];

function withoutSockets(folder: string, cause: unknown): StoreError {
  return new StoreError(
    'store_unusable_folder',
    `The file system of ${folder} has no sockets, and one locks the data folder. Use a folder on a disk of this machine, or in a container a volume.`,
    { cause },
  );
}

function notSocket(folder: string): StoreError {
  return new StoreError(
    'store_unusable_folder',
    `${folder}/lock must be the socket of a server, got another kind of file. Move it away, or use another folder.`,
  );
}

function locked(folder: string, cause: unknown): StoreError {
  return new StoreError(
    'store_locked',
    `The data folder ${folder} is in use by another server. Stop that server, or use another folder.`,
    { cause },
  );
}
