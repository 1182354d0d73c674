/** True for the error of SQLite when another process holds the file. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && /database (?:table )?is locked|busy/i.test(error.message);
}
