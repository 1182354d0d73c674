import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A shell that a reader types into. */
export interface TypedShell {
  /** Types a command, and resolves when the shell is ready for the next one. Rejects unless it exits with 0 in time. */
  type(command: string, timeoutMilliseconds?: number): Promise<void>;
  /** Resolves when each line was printed since the last command that was typed, in any order. `…` matches any text. */
  see(lines: readonly string[]): Promise<void>;
  /** Ends the shell and every program that still runs in it. */
  close(): Promise<void>;
}

const COMMAND_MILLISECONDS = 240_000;
const OUTPUT_MILLISECONDS = 60_000;
/** Printed after each command, with its exit code. */
const PROMPT = '@@typed@@';
/** In a compose file, a container reaches another one by the name of its service. */
const HOSTS = '127.0.0.1 localhost app platform\n';

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
  const bash = ['bash', '--noprofile', '--norc'];
  const program = isolated ? ['unshare', ...USER, ...NAMESPACES, ...bash] : bash;
  const [command = '', ...args] = program;
  const child = spawn(command, args, { cwd: folder, env: environment });
  const closed = once(child, 'close');
  let output = '';
  const read = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on('data', read);
  child.stderr.on('data', read);

  /** Resolves with the first value that is not undefined, checked at every output. */
  async function printed<Value>(
    what: string,
    milliseconds: number,
    find: () => Value | undefined,
  ): Promise<Value> {
    const timeout = AbortSignal.timeout(milliseconds);
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (child.exitCode !== null || timeout.aborted) {
        throw new Error(`The shell must print ${what}, got:\n${output}`);
      }
      const more = once(child.stdout, 'data', { signal: timeout }).catch(() => undefined);
      await Promise.race([more, closed]);
    }
  }

  let count = 0;
  async function type(text: string, timeout = COMMAND_MILLISECONDS): Promise<void> {
    count += 1;
    const file = join(scratch, `${count}.sh`);
    writeFileSync(file, `${text}\n`);
    output = '';
    const prompt = `${PROMPT}${count}`;
    child.stdin.write(`source ${file} </dev/null; printf '\\n${prompt} %s\\n' $?\n`);
    const code = await printed(`the end of "${text}"`, timeout, () => {
      return new RegExp(`^${prompt} (\\d+)$`, 'm').exec(output)?.[1];
    });
    if (code !== '0') throw new Error(`"${text}" must exit with 0, got ${code}:\n${output}`);
  }

  // With job control, as at a terminal: %1 is the first program in the background, with all its processes.
  await type('exec 2>&1; set -m');
  if (isolated) {
    writeFileSync(join(scratch, 'hosts'), HOSTS);
    await type(`ip link set lo up && mount --bind ${join(scratch, 'hosts')} /etc/hosts`);
  }
  return {
    type,
    async see(lines) {
      for (const line of lines) {
        await printed(`the line "${line}"`, OUTPUT_MILLISECONDS, () => {
          return patternOf(line).test(output) ? line : undefined;
        });
      }
    },
    async close() {
      if (isolated) child.kill('SIGKILL');
      else child.stdin.end('for job in $(jobs -p); do kill -KILL -- -$job; done\n');
      await closed;
      rmSync(scratch, { recursive: true });
    },
  };
}

/** Compares a line without its indentation. */
function patternOf(line: string): RegExp {
  const parts = line.trim().split('…');
  const escaped = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^[ \\t]*${escaped.join('.*')}[ \\t]*$`, 'm');
}
