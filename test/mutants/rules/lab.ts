import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { listenNever, listenRaw } from './raw-listener.ts';
import type { RawAnswer, RawListener } from './raw-listener.ts';
import type { Rule } from './rule.ts';
import { ServerClient } from './server-client.ts';
import { openProcess } from './servers.ts';
import type { ServerProcess, StartOptions, StartedServer } from './servers.ts';

/** What a rule works with: one server that it shares with the others, and what it wants beside. */
export interface Lab extends ServerClient {
  /** One more server, in the same process. */
  startServer(options: StartOptions): Promise<StartedServer>;
  /** A client of one more server. */
  start(options: StartOptions): Promise<ServerClient & Pick<StartedServer, 'close'>>;
  /** A process of its own, for a rule that kills it. */
  openProcess(): ServerProcess;
  /** An empty folder. */
  folder(): string;
  /** A listener that answers each request with raw bytes. */
  listen(answer: RawAnswer): Promise<RawListener>;
  /** The URL of a listener that no connection to is ever established. */
  listenNever(): Promise<string>;
}

/** Holds one rule after another against one build of the server. */
export interface Bench {
  /** Resolves when the rule is kept. */
  hold(rule: Rule): Promise<void>;
  close(): Promise<void>;
}

const PATIENCE_MILLISECONDS = 15_000;

/**
 * @param process - where its servers are started; it is for the caller to end
 * @param room - what the build is imported by
 */
export async function openBench(process: ServerProcess, room?: string): Promise<Bench> {
  const build: StartOptions = room === undefined ? {} : { room };
  const server = await process.start(build);
  return {
    async hold(rule) {
      const lab = new RuleLab(server, process, build);
      let patience: NodeJS.Timeout | undefined;
      const tooLong = new Promise<never>((_resolve, reject) => {
        const message = `${rule.id} takes longer than ${PATIENCE_MILLISECONDS} ms`;
        patience = setTimeout(() => reject(new Error(message)), PATIENCE_MILLISECONDS);
      });
      try {
        await Promise.race([rule.holds(lab), tooLong]);
      } finally {
        clearTimeout(patience);
        await lab.clear();
      }
    },
    close: () => server.close(),
  };
}

class RuleLab extends ServerClient implements Lab {
  readonly #standing: ServerProcess;
  readonly #build: StartOptions;
  readonly #last: (() => void | Promise<void>)[] = [];

  constructor(server: StartedServer, standing: ServerProcess, build: StartOptions) {
    super(server);
    this.#standing = standing;
    this.#build = build;
  }

  async startServer(options: StartOptions): Promise<StartedServer> {
    const server = await this.#standing.start({ ...this.#build, ...options });
    this.#last.push(() => server.close());
    return server;
  }

  async start(options: StartOptions): Promise<ServerClient & Pick<StartedServer, 'close'>> {
    const server = await this.startServer(options);
    return Object.assign(new ServerClient(server), { close: () => server.close() });
  }

  openProcess(): ServerProcess {
    const opened = openProcess();
    this.#last.push(() => opened.kill());
    return { ...opened, start: (options) => opened.start({ ...this.#build, ...options }) };
  }

  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'hookproof-rule-'));
    this.#last.push(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }

  async listen(answer: RawAnswer): Promise<RawListener> {
    const listener = await listenRaw(answer);
    this.#last.push(() => listener.close());
    return listener;
  }

  async listenNever(): Promise<string> {
    const { url, close } = await listenNever();
    this.#last.push(close);
    return url;
  }

  override async clear(): Promise<void> {
    await super.clear();
    for (const end of this.#last.splice(0).toReversed()) await end();
  }
}
