import { readFileSync } from 'node:fs';

/** The values by purpose, each as it is sent: a character is a byte. */
const groups: Record<string, string[]> = JSON.parse(
  readFileSync(new URL('corpus.json', import.meta.url), 'utf8'),
);

/** Every spelling; `{valid}` is the valid value of the parameter, `{x*3}` is `xxx`. */
export const HOSTILE_SPELLINGS: readonly string[] = Object.values(groups).flat();

/** A spelling as the bytes of a request line, in latin1. */
export function spell(spelling: string, valid: string): string {
  return spelling
    .replaceAll('{valid}', valid)
    .replace(/^\{([^{}]+)\*(\d+)\}/, (_whole, part: string, times: string) =>
      part.repeat(Number(times)),
    );
}
