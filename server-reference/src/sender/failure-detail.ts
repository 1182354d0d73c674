/** A certificate can make the message as long as it likes. */
const MOST_CHARACTERS = 500;

/** What Node says of a network failure; of a name with several addresses, what it says of each. */
export function failureDetail(error: Error): string {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const messages = errors.map((one) => (one instanceof Error ? one.message : String(one)));
  return messages.join('; ').slice(0, MOST_CHARACTERS);
}
