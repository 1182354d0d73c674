import type { World } from '@hookproof/server-reference';
import { expect } from 'vitest';

import type { ControlClient } from '../../server-reference/lab/control/control-client.ts';
import type { Client, Reply } from './client.ts';

/** What a step leaves for later steps. */
interface Notes {
  /** A durable JSON file. */
  fileId?: string;
  /** A completed run with an output file. */
  runId?: string;
  exampleId?: string;
  experimentId?: string;
}

/** A client on its way through the operations, in a world of its own. */
export interface Walk {
  readonly client: Client;
  readonly world: World;
  readonly control: ControlClient;
  readonly notes: Notes;
}

export type Steps = Readonly<Record<string, (walk: Walk) => Promise<void>>>;

/** Returns what an earlier step left. */
export function note({ notes }: Walk, name: keyof Notes): string {
  return notes[name] ?? expect.unreachable(`no step has left ${name}`);
}

/** Starts a run and moves the clock until the response is there. */
export async function startAndWait({ control }: Walk, start: Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await Promise.race([start, control.advance(1_000).then(() => null)]);
    if (reply !== null) return reply;
  }
}
