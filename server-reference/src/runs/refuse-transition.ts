import { ApiError, issue } from '../app/api-error.ts';
import { RunTransitionError } from './run-transitions.ts';

/** Answers a move that the graph does not have with 409 `invalid_transition`; other errors pass. */
export function refuseTransition(field: string, hint: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof RunTransitionError)) throw error;
    throw new ApiError(409, [issue('invalid_transition', field, error.message)], { hint });
  };
}
