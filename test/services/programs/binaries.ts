import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A server that tests start, with the programs that it needs and the Debian package that has them. */
export const SERVERS = {
  postgres: { programs: ['initdb', 'postgres'], package: 'postgresql' },
  redis: { programs: ['redis-server'], package: 'redis-server' },
  nats: { programs: ['nats-server'], package: 'nats-server' },
} as const;

/** All programs that tests start: the servers, and the browser. */
export const PROGRAMS = {
  ...SERVERS,
  chromium: { programs: ['chromium'], package: 'chromium' },
} as const;

export type ServerKind = keyof typeof SERVERS;

/** Returns the folder of each kind of program; null for one that is not installed. */
export function installed(): Record<string, string | null> {
  const kinds = ['postgres', 'redis', 'nats', 'chromium'] as const;
  return Object.fromEntries(kinds.map((kind) => [kind, folderOf(kind)]));
}

export function isServerKind(text: unknown): text is ServerKind {
  return typeof text === 'string' && Object.hasOwn(SERVERS, text);
}

/** Returns the folder that has all programs of a server or browser; null when none has. */
export function folderOf(kind: keyof typeof PROGRAMS): string | null {
  const { programs } = PROGRAMS[kind];
  const onPath = (process.env['PATH'] ?? '').split(delimiter);
  // Daemons lie in folders that the PATH of a plain user does not have.
  const folders = [...onPath, '/usr/sbin', '/usr/local/sbin', ...postgresFolders()];
  return folders.find((folder) => programs.every((name) => isProgram(join(folder, name)))) ?? null;
}

/** Debian keeps the programs of each version apart. The newest comes first. */
function postgresFolders(): string[] {
  const base = '/usr/lib/postgresql';
  try {
    const versions = readdirSync(base).toSorted((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(base, version, 'bin'));
  } catch {
    return [];
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
