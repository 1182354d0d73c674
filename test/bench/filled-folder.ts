import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createServer } from '@hookproof/server-reference';
import type { World } from '@hookproof/server-reference';

type Records = Record<string, object>;

/** The collections that have a list. */
export type ListedKind = 'agents' | 'automations' | 'reviewRequests' | 'runs' | 'templates';

/** The part of the data file that the benches fill. */
export interface State extends Readonly<
  Record<ListedKind | 'events' | 'examples' | 'files', Records>
> {
  readonly listed: Readonly<Record<ListedKind, Record<string, string[]>>>;
  /** IDs of the examples by automation. */
  readonly datasets: Record<string, string[]>;
}

/** Creates a data folder with the seeded world and the additions of `fill`. */
export async function filledFolder(
  fill: (state: State, world: World) => void,
): Promise<{ readonly folder: string; readonly world: World }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-bench-'));
  const server = await createServer({ store: { kind: 'folder', path: folder } });
  await server.close();
  const file = path.join(folder, 'state.json');
  const state = JSON.parse(await readFile(file, 'utf8')) as State;
  fill(state, server.world);
  await writeFile(file, JSON.stringify(state));
  return { folder, world: server.world };
}
