import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A server that tests start, with the programs that it needs and the Debian package that has them. */
export const SERVERS = {
  postgres: { programs: ['initdb', 'postgres'], package: 'postgresql' },
  redis: { programs: ['redis-server'], package: 'redis-server' },
  nats: { programs: ['nats-server'], package: 'nats-server' },
} as const;

/** All programs that tests start: servers, a browser, shells, and tools that judge from outside. */
export const PROGRAMS = {
  ...SERVERS,
  chromium: { programs: ['chromium'], package: 'chromium' },
  curl: { programs: ['curl'], package: 'curl' },
  openssl: { programs: ['openssl'], package: 'openssl' },
  python: { programs: ['python3'], package: 'python3' },
  script: { programs: ['script'], package: 'bsdutils' },
} as const;

export type ServerKind = keyof typeof SERVERS;
export type ProgramKind = keyof typeof PROGRAMS;

export function isServerKind(text: unknown): text is ServerKind {
  return typeof text === 'string' && Object.hasOwn(SERVERS, text);
}

/** Returns the folder that has all programs of a kind; null when none has. */
export function folderOf(kind: ProgramKind): string | null {
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
