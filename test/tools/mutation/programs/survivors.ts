import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { MutantResult } from '@stryker-mutator/api/core';

/** A mutant that no test kills, and why none should. */
interface Survivor {
  readonly file: string;
  /** The line that is mutated, without its indentation. */
  readonly line: string;
  readonly mutator: string;
  readonly replacement: string;
  readonly reason: string;
}

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const LIST = new URL('../../../../tools/mutation/survivors.json', import.meta.url);

export function listedSurvivors(): Survivor[] {
  return JSON.parse(readFileSync(LIST, 'utf8')) as Survivor[];
}

/** The mutants of a run that no test killed, as the list names them. */
export function survivorsOf(results: readonly MutantResult[]): Omit<Survivor, 'reason'>[] {
  return results
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(({ fileName, location, mutatorName, replacement }) => {
      const file = relative(ROOT, fileName).split(sep).join('/');
      const line =
        readFileSync(`${ROOT}${file}`, 'utf8').split('\n')[location.start.line - 1] ?? '';
      return { file, line: line.trim(), mutator: mutatorName, replacement };
    });
}

export function isSame(one: Omit<Survivor, 'reason'>, other: Omit<Survivor, 'reason'>): boolean {
  return (
    one.file === other.file &&
    one.line === other.line &&
    one.mutator === other.mutator &&
    one.replacement === other.replacement
  );
}
