import type { ApiResponse } from './api-client.ts';

const MAX_BYTES = 8 * 1024 * 1024;

/** Responses that the checks of a run share. Beyond 8 MiB in all, the oldest are evicted, and requested again. */
export class Samples {
  readonly #responses = new Map<string, Promise<ApiResponse>>();
  readonly #sizes = new Map<string, number>();
  #bytes = 0;

  /**
   * The response to a request of this name, which `send` makes at most once while it is cached. An error of the server may
   * be one in passing, which must not decide every check: it is left to whoever has sent the request.
   */
  async get(name: string, send: () => Promise<ApiResponse>): Promise<ApiResponse> {
    // No pause between the look and the request: others look at the same time.
    for (let known = this.#responses.get(name); known !== undefined;) {
      const response = await known;
      if (!isServerError(response)) return response;
      known = this.#responses.get(name);
    }
    const fresh = send();
    this.#responses.set(name, fresh);
    // A failed sample is not shared either: the next check sends its own request.
    fresh.then(
      (response) => {
        if (isServerError(response)) this.#forget(name, fresh);
        else this.#note(name, response.bytes.byteLength);
      },
      () => this.#forget(name, fresh),
    );
    return fresh;
  }

  #forget(name: string, response: Promise<ApiResponse>): void {
    if (this.#responses.get(name) === response) this.#responses.delete(name);
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

function isServerError({ status }: ApiResponse): boolean {
  return status >= 500;
}
