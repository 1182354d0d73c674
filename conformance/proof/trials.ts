import type { Report, Verdict } from '@hookproof/conformance';

import { defects } from './catalogue.ts';

/** The passes of a run, by what a proof found about them. */
export interface ProvenPasses {
  /** The passes that turned into a failure, each with the defect that did it. */
  readonly proven: readonly ProvenPass[];
  /** The passes that no defect turned into a failure. */
  readonly unproven: readonly UnprovenPass[];
  /** The passes that an interrupted proof did not come to. */
  readonly undecided: readonly string[];
}

/** A pass that could have failed. */
export interface ProvenPass {
  readonly check: string;
  readonly defect: string;
  /** What an implementation with the defect does, in one sentence. */
  readonly does: string;
}

/** A pass that says little: the check did not fail although the target was given defects that it should find. */
export interface UnprovenPass {
  readonly check: string;
  /** Each defect that was tried, and the verdict of the check then. */
  readonly tried: readonly { readonly defect: string; readonly verdict: Verdict }[];
}

const VIOLATIONS: ReadonlySet<Verdict> = new Set(['fail', 'advice', 'info']);

/** One run of a proof: a defect, and the checks that may find it. */
export interface Trial {
  readonly defect: string;
  readonly checks: readonly string[];
}

/** What defects did to the passes of a run. */
export class Trials {
  /** Ids of checks. */
  readonly passes: readonly string[];
  /** The defect that turned a check red. */
  readonly #proven = new Map<string, string>();
  /** The requirements of each check. */
  readonly #requirements: ReadonlyMap<string, readonly string[]>;
  /** The verdict of each check with each defect. */
  readonly #tried: ReadonlyMap<string, Map<string, Verdict>>;

  constructor({ checks }: Report) {
    this.passes = checks.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
    this.#requirements = new Map(checks.map(({ id, requirements }) => [id, requirements]));
    this.#tried = new Map(this.passes.map((id) => [id, new Map()]));
  }

  get proven(): number {
    return this.#proven.size;
  }

  /** The defect that the most open checks may find and have not met; null when none remains. */
  next(): Trial | null {
    const open = this.#open();
    let best: Trial | null = null;
    for (const { id, breaks } of defects) {
      const checks = open.filter(
        (check) =>
          this.#requirements.get(check)?.includes(breaks) === true &&
          this.#tried.get(check)?.has(id) === false,
      );
      if (checks.length > (best?.checks.length ?? 0)) best = { defect: id, checks };
    }
    return best;
  }

  /** Notes the verdicts of a run with a defect. */
  note(defect: string, { checks }: Report): void {
    for (const { id, verdict } of checks) {
      this.#tried.get(id)?.set(defect, verdict);
      if (VIOLATIONS.has(verdict)) this.#proven.set(id, defect);
    }
  }

  /** While a defect remains to be tried, a pass without a failure is undecided. */
  results(): ProvenPasses {
    const sentences = new Map(defects.map(({ id, does }) => [id, does]));
    const isPartial = this.next() !== null;
    const open = this.#open();
    return {
      proven: this.passes.flatMap((check) => {
        const defect = this.#proven.get(check);
        return defect === undefined ? [] : [{ check, defect, does: sentences.get(defect) ?? '' }];
      }),
      unproven: isPartial ? [] : open.map((check) => ({ check, tried: this.#triedOn(check) })),
      undecided: isPartial ? open : [],
    };
  }

  #open(): readonly string[] {
    return this.passes.filter((id) => !this.#proven.has(id));
  }

  #triedOn(check: string): UnprovenPass['tried'] {
    return [...(this.#tried.get(check) ?? [])].map(([defect, verdict]) => ({ defect, verdict }));
  }
}
