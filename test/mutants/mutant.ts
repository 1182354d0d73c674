/** An implementation with exactly one defect: the compiled reference with one piece of text replaced. */
export interface Mutant {
  readonly id: string;
  /** One sentence. */
  readonly defect: string;
  /** `<room>/dist/….js`. */
  readonly file: string;
  /** Text that occurs in it exactly once. */
  readonly find: string;
  readonly replace: string;
  /** Ids of the checks that turn red, and no others. */
  readonly red: readonly string[];
  /** `conformant` for a defect against a `should` or `may`. Default `violated`. */
  readonly outcome?: 'violated' | 'conformant';
}

/** A freedom of the contract used another way: patched like a mutant, and nothing turns red. */
export type Variant = Omit<Mutant, 'defect' | 'red' | 'outcome'> & {
  /** What is done otherwise. */
  readonly freedom: string;
  /** Ids of the checks that do not apply to it; all others pass. Default none. */
  readonly notApplicable?: readonly string[];
};

const LIST_AREAS = ['inbox', 'template', 'agent'];

/** The checks of a name for each of the three lists. */
export function inEachList(...names: readonly string[]): string[] {
  return LIST_AREAS.flatMap((area) => names.map((name) => `api.${area}.${name}`));
}
