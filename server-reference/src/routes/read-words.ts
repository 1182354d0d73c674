import { badRequest } from '../app/api-error.ts';

/**
 * Reads a list of known words with commas between them.
 *
 * @param what - what one of the words is, such as `review status`
 * @returns null when the parameter was not given
 * @throws {ApiError} 400 for a word that is not known, the empty one included
 */
export function readWords<Word extends string>(
  list: string | undefined,
  field: string,
  what: string,
  known: readonly Word[],
): ReadonlySet<Word> | null {
  if (list === undefined) return null;
  const words = list.split(',');
  const wanted = known.filter((word) => words.includes(word));
  const unknown = words.find((word) => !known.some((one) => one === word));
  if (unknown === undefined) return new Set(wanted);
  throw badRequest(
    'invalid_value',
    field,
    `${JSON.stringify(unknown)} is not a ${what}`,
    `Separate them by commas alone; there are ${known.join(', ')}.`,
  );
}
