import type { ApiResponse } from './api-client.ts';

const MAX_BYTES = 8 * 1024 * 1024;

/** Responses that the checks of a run share. Beyond 8 MiB in all, the oldest are evicted, and requested again. */
export class Samples {
  readonly #responses = new Map<string, Promise<ApiResponse>>();
  readonly #sizes = new Map<string, number>();
  #bytes = 0;

  /** The response to a request of this name, which `send` makes at most once while it is cached. */
  get(name: string, send: () => Promise<ApiResponse>): Promise<ApiResponse> {
    const known = this.#responses.get(name);
    if (known !== undefined) return known;
    const fresh = send();
    this.#responses.set(name, fresh);
    // A failed sample is not shared: the next check sends its own request.
    fresh.then(
      ({ bytes }) => this.#note(name, bytes.byteLength),
      () => this.#responses.delete(name),
    );
    return fresh;
  }

  #note(name: string, size: number): void {
    this.#sizes.set(name, size);
    this.#bytes += size;
    for (const [oldest, bytes] of this.#sizes) {
      if (this.#bytes <= MAX_BYTES || oldest === name) return;
      this.#sizes.delete(oldest);
      this.#responses.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}
