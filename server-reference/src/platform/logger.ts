/** Where the server says what nobody asked it. Give your own as an option. */
export interface Logger {
  /** Something was put right, or needs a look. */
  warn(message: string): void;
  /** Something failed that no caller can repair. */
  error(message: string, cause?: unknown): void;
}

/** Writes to standard error; the default, so that a recovery is never silent. */
export const consoleLogger: Logger = {
  // oxlint-disable-next-line no-console -- this is the one place where the room may speak
  warn: (message) => console.warn(`hookproof: ${message}`),
  // oxlint-disable-next-line no-console -- as above
  error: (message, cause) => console.error(`hookproof: ${message}`, cause ?? ''),
};
