import { controlNames } from './control-names.ts';
import { controlOperations } from './control-operations.ts';
import type { Step } from './step.ts';
import { companionTypes, controlTypes, types } from './types.ts';

/** The TypeScript that every build makes from the YAML files before it compiles anything. Not checked in. */
export const typeSteps: readonly Step[] = [
  types,
  companionTypes,
  controlTypes,
  controlNames,
  controlOperations,
];
