import type { Side } from '@hookproof/conformance';
import type { Hooks } from '@hookproof/conformance/hooks';

import type { Knowledge } from './knowledge.ts';

/** Starts the change for one run, with memory of its own. The verbs of each side make such functions. */
export type Open = (knowledge: Knowledge) => Hooks;

/**
 * A change of the exchanges between a target and the suite, as if the target were another implementation. It is a
 * plain function: it runs in the suite, in a proxy before any target, and in the reference server.
 */
interface Transformation {
  /** Unique in the catalogue. */
  readonly id: string;
  readonly side: Side;
  /** One sentence about the implementation: "Retries after 400." */
  readonly does: string;
  readonly open: Open;
}

/** An implementation with exactly one defect. At least one check of the requirement must find a violation. */
export interface Defect extends Transformation {
  /** The id of the requirement that it breaks. */
  readonly breaks: string;
}

/** An implementation that uses a freedom of the contract differently from the reference server. No check may object. */
export interface Variant extends Transformation {
  /** The id of the freedom, or of the requirement, that permits it. */
  readonly takes: string;
  /** The part that changes. Variants of one freedom fit together if each changes another part. Default: the whole. */
  readonly at?: string;
  /** Ids of checks that do not apply, cannot run, or only give advice then. Every other check passes. Default none. */
  readonly silences?: readonly string[];
}

/** The change, as the member that is named after its side. */
type Change =
  | { readonly api: Open; readonly sender?: never; readonly receiver?: never }
  | { readonly sender: Open; readonly api?: never; readonly receiver?: never }
  | { readonly receiver: Open; readonly api?: never; readonly sender?: never };

/** An implementation with one defect. */
export function defect({
  id,
  breaks,
  does,
  ...change
}: Pick<Defect, 'id' | 'breaks' | 'does'> & Change): Defect {
  return { id, breaks, does, ...sideOf(change) };
}

/** A valid implementation that uses a freedom. */
export function variant({
  id,
  takes,
  at,
  does,
  silences = [],
  ...change
}: Pick<Variant, 'id' | 'takes' | 'at' | 'does' | 'silences'> & Change): Variant {
  return { id, takes, ...(at === undefined ? {} : { at }), does, silences, ...sideOf(change) };
}

/**
 * Variants that take one freedom by changing one thing: a row has the id, what it does, and what `api` makes its change
 * from.
 */
export function variantsOf<Value>({
  takes,
  at,
  api,
  rows,
}: Pick<Variant, 'takes' | 'at'> & {
  readonly api: (value: Value) => Open;
  readonly rows: Readonly<Record<string, readonly [does: string, value: Value]>>;
}): Variant[] {
  return Object.entries(rows).map(([id, [does, value]]) =>
    variant({ id, takes, ...(at === undefined ? {} : { at }), does, api: api(value) }),
  );
}

function sideOf(change: Change): Pick<Transformation, 'side' | 'open'> {
  if (change.api !== undefined) return { side: 'api', open: change.api };
  if (change.sender !== undefined) return { side: 'sender', open: change.sender };
  return { side: 'receiver', open: change.receiver };
}

/** A change with memory: `start` is called for each run. */
export function perRun(start: (knowledge: Knowledge) => Open): Open {
  return (knowledge) => start(knowledge)(knowledge);
}

/** Whether a transformation is a defect, and not a variant. */
export function isDefect(one: Defect | Variant): one is Defect {
  return 'breaks' in one;
}
