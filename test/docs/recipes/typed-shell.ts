import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** An interactive bash on a terminal, which a reader types into. */
export interface TypedShell {
  /** Types a command, and resolves when the shell is ready for the next one. Rejects unless it exits with 0 in time. */
  type(command: string): Promise<void>;
  /**
   * Resolves when the commands that were typed since the last call have printed each line, in any order. `…` matches any
   * text.
   */
  see(lines: readonly string[]): Promise<void>;
  /** Returns the programs that run on the terminal, without the shell itself. */
  running(): string[];
  /** Ends the shell and every program that still runs in it. */
  close(): Promise<void>;
}

/** Bounds what hangs. On a busy machine, `npm ci` with its build can take minutes. */
const HANG_MILLISECONDS = 540_000;
/** In a compose file, a container reaches another one by the name of its service. */
const HOSTS = '127.0.0.1 localhost app platform\n';

/** Names the terminal, and shows the exit code of each command on a line of its own. */
const SHELL = String.raw`tty; stty cols 80 rows 24; PS1='\n@typed $?\n' exec bash --noprofile --norc -i`;
const PROMPT = /^@typed (\d+)$/m;
/** Erases the row that a program rewrites. */
const ERASE = '\r\u001B[K';
/** What npm draws while it works, and erases. */
const PROGRESS = /[\u2800-\u28FF\r]/g;
/** What is typed is not shown, so everything in the output was printed by a program. */
const TERMINAL = [
  'script',
  '--quiet',
  '--flush',
  '--echo',
  'never',
  '--command',
  SHELL,
  '/dev/null',
];

const NAMESPACES = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
/** The user of the shell keeps its name; servers such as PostgreSQL refuse to run as root. */
const USER = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user', '--keep-caps'];

/** Whether a shell can have a network and a process table of its own. Says so loudly when it cannot. */
export function canIsolate(): boolean {
  const command = ['ip', 'link', 'set', 'lo', 'up'];
  const isolated = spawnSync('unshare', [...USER, ...NAMESPACES, ...command]).status === 0;
  if (!isolated) {
    process.stderr.write(
      '\nTHE RECIPES SHARE THE NETWORK OF THIS MACHINE, because unshare is not possible. Their ports, such as 3000 and 4010, must be free, and its /etc/hosts must name app and platform as 127.0.0.1.\n',
    );
  }
  return isolated;
}

/**
 * Opens a bash in a folder.
 *
 * @param isolated - gives it a network of its own, so that the ports in the pages are free, and none outside
 */
export async function openShell(
  folder: string,
  environment: NodeJS.ProcessEnv,
  isolated: boolean,
): Promise<TypedShell> {
  const scratch = mkdtempSync(join(tmpdir(), 'hookproof-shell-'));
  const hosts = join(scratch, 'hosts');
  writeFileSync(hosts, HOSTS);
  // This shell stays, because it also waits for processes that lost their parent.
  const setUp = `ip link set lo up && mount --bind ${hosts} /etc/hosts && "$@"; exit`;
  const alone = ['unshare', ...USER, ...NAMESPACES, 'sh', '-c', setUp, 'sh'];
  const [command = '', ...args] = isolated ? [...alone, ...TERMINAL] : TERMINAL;
  const child = spawn(command, args, { cwd: folder, env: { ...environment, SHELL: '/bin/sh' } });
  const closed = once(child, 'close');
  let output = '';
  /** Where the output begins of what was typed since the last look. */
  let unseen = 0;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }

  /** Resolves with the first value that is not undefined, checked at every output. */
  async function printed<Value>(
    what: string,
    start: number,
    milliseconds: number,
    find: (text: string) => Value | undefined,
  ): Promise<Value> {
    const timeout = AbortSignal.timeout(milliseconds);
    for (;;) {
      const text = shown(output.slice(start));
      const found = find(text);
      if (found !== undefined) return found;
      if (child.exitCode !== null || timeout.aborted) {
        throw new Error(`The shell must print ${what}, got:\n${text}`);
      }
      const more = once(child.stdout, 'data', { signal: timeout }).catch(() => undefined);
      await Promise.race([more, closed]);
    }
  }

  /** Resolves with the exit code of a command. */
  function ended(text: string, start: number): Promise<string | undefined> {
    const what = `the end of "${text}"`;
    return printed(what, start, HANG_MILLISECONDS, (found) => PROMPT.exec(found)?.[1]);
  }

  await ended('bash', 0);
  const [terminal = ''] = /pts\/\d+/.exec(output) ?? [];

  /** The processes of the terminal. The first is the shell. */
  function processes(): string[] {
    const listed = spawnSync('ps', ['-t', terminal, '-o', 'pid=,args='], { encoding: 'utf8' });
    return listed.stdout.split('\n').filter((line) => line !== '' && !line.endsWith('<defunct>'));
  }

  return {
    async type(text) {
      const start = output.length;
      child.stdin.write(`${text}\n`);
      const code = await ended(text, start);
      if (code === '0') return;
      throw new Error(`"${text}" must exit with 0, got ${code}:\n${shown(output.slice(start))}`);
    },
    async see(lines) {
      for (const line of lines) {
        await printed(`the line "${line}"`, unseen, HANG_MILLISECONDS, (text) => {
          return patternOf(line).test(text) ? line : undefined;
        });
      }
      unseen = output.length;
    },
    running: () => processes().slice(1),
    async close() {
      for (const line of processes()) {
        try {
          process.kill(Number.parseInt(line, 10), 'SIGKILL');
        } catch (error) {
          // It ended by itself meanwhile.
          if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
        }
      }
      child.kill('SIGKILL');
      await closed;
      rmSync(scratch, { recursive: true });
    },
  };
}

/** Returns what a reader sees of an output. */
function shown(output: string): string {
  const rows = output.split('\n').map((row) => row.split(ERASE).at(-1));
  return stripVTControlCharacters(rows.join('\n')).replaceAll(PROGRESS, '');
}

/** Compares a line without its indentation. */
function patternOf(line: string): RegExp {
  const parts = line.trim().split('…');
  const escaped = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^[ \\t]*${escaped.join('.*')}[ \\t]*$`, 'm');
}
