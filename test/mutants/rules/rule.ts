import type { Lab } from './lab.ts';

/** Something that this server keeps, also where the contract is silent. */
export interface Rule {
  /** `<theme>.<name>`. */
  readonly id: string;
  /** One sentence. */
  readonly rule: string;
  /** Resolves when the rule is kept, and rejects when it is broken. */
  holds(lab: Lab): Promise<void>;
}
