import { headerValue } from '../../saved/delivery-folder.ts';
import type { ReceivedDelivery } from '../../saved/delivery-folder.ts';
import { AppState } from './app-state.ts';
import { forward, TIMEOUT_MILLISECONDS } from './app.ts';
import type { AppResponse, Forwarded } from './app.ts';
import { History } from './history.ts';
import type { ListedDelivery } from './history.ts';
import type { Outcome } from './lines.ts';
import type { SavedFolders } from './saved-folders.ts';
import type { Verdict } from './verdict.ts';

/** Shows what happens in a session. */
export interface SessionOutput {
  /** Something that is no delivery, or concerns none. */
  readonly ignored: (problem: string) => void;
  readonly arrived: (delivery: ListedDelivery) => void;
  /** Called when the app takes long to respond, with the seconds that the command goes on waiting. */
  readonly slow: (delivery: ListedDelivery, seconds: number) => void;
  readonly responded: (delivery: ListedDelivery, outcome: Outcome) => void;
  /** Called when the app becomes reachable or unreachable, with the error. */
  readonly app: (problem: string | null) => void;
}

interface SessionOptions {
  readonly judge: (delivery: ReceivedDelivery) => Verdict;
  /** URL of the app; undefined without one. */
  readonly forwardTo: string | undefined;
  /** Status of the response without an app; undefined to respond by the verdict. */
  readonly respond: number | undefined;
  readonly saved: SavedFolders | null;
  readonly output: SessionOutput;
}

/** Receives deliveries, passes them to the app and repeats them. */
export class Session {
  readonly #options: SessionOptions;
  readonly #history: History;
  readonly #app: AppState | null;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#history = new History(options.saved?.last ?? 0);
    const { forwardTo, output } = options;
    this.#app =
      forwardTo === undefined ? null : new AppState(forwardTo, (problem) => output.app(problem));
  }

  /** Returns a kept delivery by its number or event id, the newest one if the name is empty. */
  find(name: string): ListedDelivery | undefined {
    return this.#history.find(name);
  }

  /** Passes a delivery to the app. Returns the response for the platform. */
  async receive(delivery: ReceivedDelivery): Promise<AppResponse> {
    const { judge, output } = this.#options;
    const id = headerValue(delivery.headers, 'webhook-id') ?? null;
    const listed = this.#history.add(delivery, id, judge(delivery));
    output.arrived(listed);
    this.#save(listed, null);
    const outcome = await this.#send(listed, false);
    this.#save(listed, outcome);
    return responseFor(outcome.result);
  }

  /** Sends a delivery to the app again, with its original bytes and headers. */
  async redeliver(delivery: ListedDelivery): Promise<void> {
    await this.#send(delivery, true);
  }

  /** Looks whether something listens at the URL of the app. Returns the error code, or null. */
  async findApp(): Promise<string | null> {
    return (await this.#app?.find()) ?? null;
  }

  /** Ends the search for an app that is down. */
  close(): void {
    this.#app?.close();
  }

  /** A full disk must not cost the platform its response. */
  #save(delivery: ListedDelivery, outcome: Outcome | null): void {
    try {
      this.#options.saved?.save(delivery, outcome);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.output.ignored(`delivery ${delivery.number} was not saved: ${reason}`);
    }
  }

  async #send(delivery: ListedDelivery, isRedelivery: boolean): Promise<Outcome> {
    const { forwardTo, respond, output } = this.#options;
    const begunAt = performance.now();
    const status = respond ?? delivery.verdict.status;
    const left = (TIMEOUT_MILLISECONDS - SLOW_MILLISECONDS) / 1_000;
    const slow = setTimeout(() => output.slow(delivery, left), SLOW_MILLISECONDS);
    const result =
      forwardTo === undefined
        ? ({ kind: 'own', status } as const)
        : await forward(forwardTo, delivery);
    clearTimeout(slow);
    const milliseconds = Math.round((performance.now() - begunAt) * 10) / 10;
    const outcome: Outcome = { result, milliseconds, isRedelivery };
    output.responded(delivery, outcome);
    if (result.kind !== 'own') this.#app?.note(problemOf(result));
    return outcome;
  }
}

/** An app that takes longer probably hangs. */
const SLOW_MILLISECONDS = 5_000;
/** Errors before a connection is made. */
const UNREACHABLE = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

function problemOf(result: Forwarded): string | null {
  return result.kind === 'error' && UNREACHABLE.test(result.code) ? result.code : null;
}

/** Without a response of the app the platform gets a status that it retries. */
function responseFor(result: Outcome['result']): AppResponse {
  if (result.kind === 'response') return result.response;
  if (result.kind === 'own') return { status: result.status, headers: [], body: Buffer.alloc(0) };
  const body = Buffer.from(JSON.stringify({ code: 'app_unreachable', error: result.code }));
  return { status: 502, headers: [['Content-Type', 'application/json']], body };
}
