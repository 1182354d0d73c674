import { createHash } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';

import { StoreError } from './store.ts';

/** An exclusive lock on a folder. */
export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Locks a folder for this server. The lock is a listening local socket named after the folder. The operating
 * system closes it when the process ends for any reason, so no stale lock remains.
 *
 * @param folder - its real path, so that different paths to the folder use the same lock
 * @throws {StoreError} `store_locked`
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const address = socketAddress(folder);
  const server = createServer((socket) => socket.destroy());
  try {
    await listen(server, address);
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE') || !(await isLeftBehind(address)))
      throw refusal(folder, error);
    await unlink(address).catch(() => undefined);
    await listen(server, address).catch((again: unknown) => {
      throw refusal(folder, again);
    });
  }
  return {
    release: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** An abstract socket on Linux, a named pipe on Windows, else a socket file. */
function socketAddress(folder: string): string {
  const name = `hookproof-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
  if (platform() === 'linux') return `\0${name}`;
  if (platform() === 'win32') return `\\\\.\\pipe\\${name}`;
  return join(tmpdir(), `${name}.sock`);
}

/** A socket file remains after a kill, but then it refuses connections. */
async function isLeftBehind(address: string): Promise<boolean> {
  if (platform() === 'linux' || platform() === 'win32') return false;
  return new Promise((resolve) => {
    const probe = connect(address);
    probe.once('connect', () => {
      probe.destroy();
      resolve(false);
    });
    probe.once('error', (error) => resolve(hasCode(error, 'ECONNREFUSED')));
  });
}

function listen(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path: address }, () => {
      server.off('error', reject);
      resolve();
    });
  });
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
