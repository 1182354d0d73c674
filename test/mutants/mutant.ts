/** An implementation with exactly one defect: the compiled reference with one replaced text. */
export interface Mutant {
  readonly id: string;
  /** One sentence. */
  readonly defect: string;
  /** `<room>/dist/….js`. */
  readonly file: string;
  /** A text that occurs in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** IDs of the checks that fail. All others do not. */
  readonly fails: readonly string[];
  /** `conformant` for a defect against a `should` or `may`. Default `violated`. */
  readonly outcome?: 'violated' | 'conformant';
}

/** Another choice for an open point of the contract. It is patched like a mutant, and no check fails. */
export type Variant = Omit<Mutant, 'defect' | 'fails' | 'outcome'> & {
  /** The other choice, in one sentence. */
  readonly freedom: string;
  /** IDs of the checks that do not apply. All others pass. Default: none. */
  readonly notApplicable?: readonly string[];
};

const LIST_AREAS = ['inbox', 'template', 'agent'];

/** Returns the check IDs of a name for each of the three lists. */
export function inEachList(...names: readonly string[]): string[] {
  return LIST_AREAS.flatMap((area) => names.map((name) => `api.${area}.${name}`));
}
