/** What must be closed. */
export interface Closable {
  close(): Promise<void> | void;
}

/**
 * Closes parts one after another. A failure does not keep the later ones open.
 *
 * @throws the first error, when all are closed
 */
export async function closeAll(parts: Iterable<Closable>): Promise<void> {
  const errors: unknown[] = [];
  for (const part of parts) {
    try {
      await part.close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
