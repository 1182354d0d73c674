import { badRequest } from '../app/api-error.ts';

/** What makes a file temporary. */
const TEMPORARY: readonly string[] = ['run-input', 'builder-attachment'];

/** How long a temporary file lives, from its creation. */
export const LIFETIME_MILLISECONDS = 86_400_000;

/** Reads the purpose of a new file; null, or none, makes a durable one. */
export function readPurpose(purpose: string | null | undefined): string | null {
  if (purpose === undefined || purpose === null) return null;
  if (TEMPORARY.includes(purpose)) return purpose;
  throw badRequest(
    'invalid_value',
    'purpose',
    `must be ${TEMPORARY.join(' or ')}, but is ${JSON.stringify(purpose.slice(0, 60))}`,
    'Leave it out for a file that is to stay.',
  );
}
