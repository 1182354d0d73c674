import { connectionProblem } from '../../running/connection-problem.ts';

/** While nothing listens at the URL of the app. */
const PROBE_MILLISECONDS = 1_000;

/** Whether something listens at the URL of the app. While nothing does, it looks again each second. */
export class AppState {
  readonly #url: string;
  readonly #changed: (problem: string | null) => void;
  #problem: string | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** @param changed - called with each change after {@link find}: the error code, or null when the app is reachable */
  constructor(url: string, changed: (problem: string | null) => void) {
    this.#url = url;
    this.#changed = changed;
  }

  /** Looks for the first time. Returns the error code, or null if something listens. */
  async find(): Promise<string | null> {
    this.#set(await connectionProblem(this.#url));
    return this.#problem;
  }

  /** Notes what an attempt to send a delivery has shown. */
  note(problem: string | null): void {
    if (this.#set(problem)) this.#changed(problem);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #set(problem: string | null): boolean {
    const isOther = (problem === null) !== (this.#problem === null);
    this.#problem = problem;
    clearInterval(this.#timer);
    if (problem !== null) this.#timer = setInterval(() => void this.#probe(), PROBE_MILLISECONDS);
    return isOther;
  }

  async #probe(): Promise<void> {
    const problem = await connectionProblem(this.#url);
    if (problem === null) this.note(null);
  }
}
