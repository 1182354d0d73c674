import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import { compiledProgram } from '../../compiled-program.ts';

const execute = promisify(execFile);

/** What a reader has before a page: a folder with the packages, and nothing else. */
export interface ReaderFolder {
  /** Makes a copy for one page. */
  copy(): Promise<string>;
  /** Makes a folder without anything, from which `../hookproof` is one folder further up. */
  empty(): Promise<string>;
  /** The lines that install the packages into a folder within an empty one. */
  readonly installs: readonly string[];
  /** The environment of a reader's shell. */
  readonly environment: NodeJS.ProcessEnv;
  remove(): Promise<void>;
}

/** Copies a folder by links. npm replaces the files of a package, and changes only those beside packages in place. */
const LINKED_COPY = `cp -al "$0" "$1" && cd "$0" &&
  find . -maxdepth 2 -type f -exec cp -a --remove-destination --parents -t "$1" {} +`;

/**
 * Installs packages as a reader does.
 *
 * @param commands - the lines that install them, which are typed into a new folder
 * @param clone - the folder that the lines reach as `../hookproof`
 */
export async function readerFolder(
  commands: readonly string[],
  clone: string,
): Promise<ReaderFolder> {
  const base = await mkdtemp(join(tmpdir(), 'hookproof-recipes-'));
  await symlink(clone, join(base, 'hookproof'));
  const installed = join(base, 'installed');
  const programs = join(base, 'programs');
  const environment = readerEnvironment(base, programs);
  await mkdir(installed);
  await mkdir(programs);
  const docker = compiledProgram(new URL('programs/docker.ts', import.meta.url));
  await writeFile(join(programs, 'docker'), `#!/bin/sh\nexec node '${docker}' "$@"\n`, {
    mode: 0o755,
  });
  for (const command of commands) {
    await execute('bash', ['-c', command], { cwd: installed, env: environment });
  }
  let count = 0;
  return {
    environment,
    async copy() {
      count += 1;
      const folder = join(base, `page-${count}`);
      await execute('bash', ['-c', LINKED_COPY, installed, folder]);
      return folder;
    },
    installs: commands.map((command) => command.replace('../hookproof/', '../../hookproof/')),
    async empty() {
      count += 1;
      const folder = join(base, `apps-${count}`);
      await mkdir(folder);
      return folder;
    },
    remove: () => rm(base, { recursive: true, force: true }),
  };
}

/** Leaves out what the test runner and `npm run` set, and finds running servers only of its own. */
function readerEnvironment(base: string, programs: string): NodeJS.ProcessEnv {
  const { PATH = '', npm_config_cache: cache, npm_config_registry: registry } = process.env;
  const path = PATH.split(delimiter).filter((entry) => !entry.endsWith('node_modules/.bin'));
  return {
    PATH: [programs, ...path].join(delimiter),
    HOME: homedir(),
    LANG: 'C.UTF-8',
    XDG_STATE_HOME: join(base, 'state'),
    npm_config_cache: cache ?? join(homedir(), '.npm'),
    ...(registry === undefined ? {} : { npm_config_registry: registry }),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
}
