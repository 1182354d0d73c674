import { show, violation } from '../../../check-kit/expect.ts';
import { firstDifference } from '../../../check-kit/first-difference.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import { Inconclusive } from '../../../verdict/findings.ts';
import type { VisibleState } from './operation.ts';

/** What a reader sees before a request that must have no effect. A part that cannot be read is left out. */
export class StateBefore {
  readonly #before: readonly { readonly part: VisibleState; readonly value: unknown }[];
  readonly #failure: Inconclusive | null;

  private constructor(
    before: readonly { readonly part: VisibleState; readonly value: unknown }[],
    failure: Inconclusive | null,
  ) {
    this.#before = before;
    this.#failure = failure;
  }

  static async read(parts: readonly VisibleState[]): Promise<StateBefore> {
    const before = [];
    let failure: Inconclusive | null = null;
    for (const part of parts) {
      try {
        const value = await part.read();
        if (value !== null) before.push({ part, value });
      } catch (error) {
        if (!(error instanceof Inconclusive)) throw error;
        failure ??= error;
      }
    }
    return new StateBefore(before, before.length === 0 ? failure : null);
  }

  /** Throws a violation for the first difference to what the reader sees now. It shows the response to a request. */
  async expectSame(response: ApiResponse): Promise<void> {
    for (const { part, value } of this.#before) {
      const found = firstDifference(value, await part.read(value), part.name);
      if (found === null) continue;
      const { path, before, after } = found;
      throw violation(
        `no effect of a refused request: ${path} is still ${show(before)}`,
        `status ${response.status}, and ${path} is ${show(after)} afterwards`,
        response,
      );
    }
  }

  /** Throws when nothing could be read. */
  assumeRead(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
