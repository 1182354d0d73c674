import type { Patch } from './build.ts';

/** A server with exactly one defect: the compiled reference with one piece of text replaced. */
export interface RuleMutant extends Patch {
  /** One sentence. */
  readonly defect: string;
  /** Ids of the rules that it breaks, and no others. */
  readonly breaks: readonly string[];
}
