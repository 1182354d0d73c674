/**
 * Refuses a runtime in which nothing would handle what is accepted.
 *
 * @throws {Error} It says what to use there.
 */
export function requireRuntime(): void {
  const navigator: unknown = Reflect.get(globalThis, 'navigator');
  const isObject = typeof navigator === 'object' && navigator !== null;
  if (isObject && Reflect.get(navigator, 'userAgent') === 'Cloudflare-Workers') {
    throw new Error(
      'A receiver must live longer than a request to handle events, but a Cloudflare Worker ends with ' +
        'it. Verify there with @hookproof/receiver/verify-web, or accept with createIngress() into a ' +
        'queue, and handle the events with createProcessor() on Node.js.',
    );
  }
  const missing = ['setImmediate', 'TextEncoder'].find((name) => !(name in globalThis));
  if (missing !== undefined) {
    throw new Error(
      `A receiver needs the environment of Node.js, but ${missing} is missing, as in jsdom. Use the ` +
        "environment node: testEnvironment: 'node' in Jest, environment: 'node' in Vitest, or " +
        '`@jest-environment node` or `@vitest-environment node` in a comment at the top of the test.',
    );
  }
  if (!('toSorted' in Array.prototype)) {
    throw new Error('Receiver needs Node.js 20.19 or newer, this is older.');
  }
}
