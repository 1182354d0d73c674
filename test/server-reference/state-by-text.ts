import type { State } from '../../server-reference/src/platform/state/state.ts';

type ByText<Collections> = {
  [Name in keyof Collections]: Collections[Name] extends Record<string, infer One>
    ? Record<string, One>
    : Collections[Name];
};

/** A state whose records a test reads and writes by any text, without finding them first. */
export type StateByText = State & ByText<Omit<State, 'ids'>> & { listed: ByText<State['listed']> };

/** The text as an id of the kind that the context expects. */
export function asId<Expected extends string>(text: string | NoInfer<Expected>): Expected;
export function asId(text: string): string {
  return text;
}
