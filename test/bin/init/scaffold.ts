import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { satisfies } from 'semver';
import { expect } from 'vitest';
import { parse } from 'yaml';

import { inShell } from '../../docs/recipes/type-recipe.ts';
import type { ReaderFolder } from '../../docs/recipes/reader-folder.ts';
import { openShell } from '../../docs/recipes/typed-shell.ts';
import type { TypedShell } from '../../docs/recipes/typed-shell.ts';
import { readInitOutput } from './init-output.ts';
import type { InitOutput } from './init-output.ts';

/** An app as people create it today, before `hookproof init`. */
export interface Scaffold {
  readonly name: string;
  /** Typed in an empty folder. They make the folder `app`, unless `files` does. */
  readonly make: readonly string[];
  /** Files of the app, by name: of a scaffold that is stored here, or of a program that its author wrote. */
  readonly files?: Readonly<Record<string, string | object>>;
  /** Below which line of the program the printed lines belong. Imports go to its top. */
  readonly anchor?: RegExp;
  /** What the app prints when a run has completed. */
  readonly handled?: string;
  /** Scripts of package.json that must be green afterwards, such as `lint`. */
  readonly scripts?: readonly string[];
  /** Starts the server that follows edits, and the file with the handlers. */
  readonly dev?: { readonly command: string; readonly port: number; readonly handlers: string };
}

const COMPLETED = "completed { invoice: 'invoice-4711', total: 4711, currency: 'EUR' }";
const URL = 'http://localhost:3000/hooks';

/**
 * Makes an app, installs the packages, runs `init` and types every line that it prints, then those of the workflow that it
 * wrote. Throws with the output of the line that is not green.
 */
export async function followInit(
  scaffold: Scaffold,
  reader: ReaderFolder,
  isolated: boolean,
): Promise<void> {
  const place = await reader.empty();
  const app = join(place, 'app');
  let environment = reader.environment;
  await inShell(await openShell(place, environment, false), async (shell) => {
    // A scaffolder that has no answer to a question takes its default.
    for (const command of scaffold.make) await shell.type(`( ${command} ) < /dev/null`);
  });
  for (const [name, text] of Object.entries(scaffold.files ?? {})) write(app, name, text);
  await inShell(await openShell(app, environment, false), (shell) => shell.type('npm install'));
  environment = await withItsNode(app, place, environment);
  const output = await inShell(await openShell(app, environment, false), async (shell) => {
    for (const command of reader.installs) await shell.type(command);
    await shell.type('npx hookproof init > ../init.txt; cat ../init.txt');
    const printed = readInitOutput(readFileSync(join(place, 'init.txt'), 'utf8'));
    expect(printed.unplaced).toEqual([]);
    followEdits(printed, scaffold, app);
    const secret = printed.commands.findIndex((command) => command.startsWith('export '));
    for (const command of printed.commands.slice(0, secret)) await shell.type(command);
    for (const script of scaffold.scripts ?? []) await shell.type(`npm run ${script}`);
    return printed;
  });
  await inShell(await openShell(app, environment, isolated), async (shell) => {
    await send(output, scaffold, shell);
  });
  await inShell(await openShell(app, environment, isolated), async (shell) => {
    await runWorkflow(app, output, shell);
  });
  const { dev } = scaffold;
  if (dev === undefined) return;
  await inShell(await openShell(app, environment, isolated), async (shell) => {
    await edit(app, dev, shell);
  });
}

function write(app: string, name: string, text: string | object): void {
  mkdirSync(dirname(join(app, name)), { recursive: true });
  writeFileSync(
    join(app, name),
    typeof text === 'string' ? text : `${JSON.stringify(text, null, 2)}\n`,
  );
}

/** Does what the output says to do in files. */
function followEdits({ additions, changes }: InitOutput, scaffold: Scaffold, app: string): void {
  for (const { file, before, after } of changes) {
    const text = readFileSync(join(app, file), 'utf8');
    expect(text, `${file} must have the line to change`).toContain(before);
    writeFileSync(
      join(app, file),
      text.replace(before, () => after),
    );
  }
  for (const { file, text } of additions) {
    const program = readFileSync(join(app, file), 'utf8');
    const anchor = scaffold.anchor?.exec(program)?.[0];
    if (anchor === undefined) throw new Error(`${file} must have ${scaffold.anchor}.`);
    const [imports = '', ...rest] = text.split('\n\n');
    const below = `${anchor}\n${rest.join('\n\n')}`;
    writeFileSync(join(app, file), `${imports}\n${program.replace(anchor, () => below)}`);
  }
}

/** Types the lines from the secret on: the app, the platform and the events of a run. */
async function send(
  { commands }: InitOutput,
  { handled }: Scaffold,
  shell: TypedShell,
): Promise<void> {
  const secret = commands.findIndex((command) => command.startsWith('export '));
  const [set = '', start = '', serve = '', trigger = ''] = commands.slice(secret);
  await shell.type(set);
  await shell.type(start);
  await shell.type(`until curl --silent --output /dev/null ${URL}; do sleep 0.2; done`);
  await shell.type(serve);
  await shell.see([`webhooks to     ${URL}`]);
  await shell.type(trigger);
  await shell.see([handled ?? COMPLETED]);
  await shell.type('kill %1 %2; wait');
  await expect.poll(() => shell.running(), { message: 'SIGTERM must end the app.' }).toEqual([]);
}

/** Runs the steps of the workflow that are lines of a shell, but its installation, which was typed before. */
async function runWorkflow(app: string, { commands }: InitOutput, shell: TypedShell) {
  const file = join(app, '.github/workflows/webhooks.yml');
  const { jobs } = parse(readFileSync(file, 'utf8'));
  const runs: string[] = jobs.webhooks.steps.flatMap(({ run }: { run?: string }) => run ?? []);
  const secret = commands.findIndex((command) => command.startsWith('export '));
  const typed = commands.slice(0, secret).filter((command) => !command.includes(' install '));
  expect(runs[0]).toBe('npm ci');
  expect(runs.slice(1, -2).toSorted()).toEqual(typed.toSorted());
  await shell.type("export WEBHOOK_SECRET='whsec_for_this_job'");
  for (const [place, run] of runs.slice(-2).entries()) {
    write(app, `../step-${place}.sh`, run);
    await shell.type(`bash -e ../step-${place}.sh`);
  }
}

/** Edits the handlers of a running server: the next event must meet what was saved. */
async function edit(
  app: string,
  { command, port, handlers }: NonNullable<Scaffold['dev']>,
  shell: TypedShell,
): Promise<void> {
  const url = `http://localhost:${port}/hooks`;
  await shell.type('export WEBHOOK_SECRET=whsec_for_local_work');
  // In the background of a terminal, what reads its input is stopped.
  await shell.type(`${command} < /dev/null &`);
  await shell.type(`until curl --silent --output /dev/null ${url}; do sleep 0.2; done`);
  await shell.type(`npx hookproof serve --forward-to ${url} --secret $WEBHOOK_SECRET &`);
  await shell.see([`webhooks to     ${url}`]);
  await shell.type('npx hookproof trigger');
  await shell.see([COMPLETED]);
  const file = join(app, handlers);
  writeFileSync(file, readFileSync(file, 'utf8').replace("'completed'", "'edited'"));
  await shell.type('npx hookproof trigger');
  await shell.see([COMPLETED.replace('completed', 'edited')]);
}

/** Puts the Node.js on the path that the packages of an app ask for, from the npm package `node`. */
async function withItsNode(
  app: string,
  place: string,
  environment: NodeJS.ProcessEnv,
): Promise<NodeJS.ProcessEnv> {
  const asked = directPackages(app).flatMap((name) => {
    const { engines } = JSON.parse(
      readFileSync(join(app, 'node_modules', name, 'package.json'), 'utf8'),
    );
    return typeof engines?.node === 'string' ? [engines.node as string] : [];
  });
  const range = asked.find((each) => !satisfies(process.version, each));
  if (range === undefined) return environment;
  const node = join(place, 'node');
  mkdirSync(node);
  write(node, 'package.json', { private: true });
  await inShell(await openShell(node, environment, false), (shell) =>
    shell.type(`npm install 'node@${range}'`),
  );
  return {
    ...environment,
    PATH: `${join(node, 'node_modules/.bin')}:${environment['PATH'] ?? ''}`,
  };
}

function directPackages(app: string): string[] {
  const manifest = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
  const installed = new Set(
    readdirSync(join(app, 'node_modules'), { recursive: false }).map(String),
  );
  return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter((name) =>
    installed.has(name.split('/')[0] ?? ''),
  );
}
