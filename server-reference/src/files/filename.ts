import { badRequest } from '../app/api-error.ts';

const LONGEST_NAME = 255;

/** Control characters, line separators, and halves of characters that no encoding can carry. */
const UNSHOWABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}]/u;

/**
 * Reads the name of a new file. It is a label and never a path: of folders before it, as some clients
 * send them, nothing is kept.
 *
 * @param field - where the name was found
 */
export function readFilename(text: string, field: string): string {
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1).trim();
  if (name === '' || name === '.' || name === '..') {
    throw badRequest('invalid_value', field, 'must end in the name of a file');
  }
  if (UNSHOWABLE.test(name)) {
    throw badRequest('invalid_value', field, 'must not hold control characters');
  }
  if (name.length > LONGEST_NAME) {
    throw badRequest('invalid_value', field, `must not be longer than ${LONGEST_NAME} characters`);
  }
  return name;
}
