/** Receives warnings and errors that no response reports. Pass your own as an option. */
export interface Logger {
  /** The server recovered by itself, or needs attention. */
  warn(message: string): void;
  /** An operation failed, and no caller can fix it. */
  error(message: string, cause?: unknown): void;
}

/** The default logger. It writes to standard error. */
export const consoleLogger: Logger = {
  // oxlint-disable-next-line no-console -- the only place of this package that may write to the console
  warn: (message) => console.warn(`hookproof: ${message}`),
  // oxlint-disable-next-line no-console -- as above
  error: (message, cause) => console.error(`hookproof: ${message}`, cause ?? ''),
};
