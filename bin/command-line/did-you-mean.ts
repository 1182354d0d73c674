import { closest, distance } from 'fastest-levenshtein';

/** Returns a sentence with the known text that was probably meant, after a blank; empty if none is near. */
export function didYouMean(given: string, known: readonly string[]): string {
  const nearest = closest(given, known);
  return distance(given, nearest) <= given.length / 2 ? ` Did you mean ${nearest}?` : '';
}
