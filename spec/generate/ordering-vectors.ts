import type { OrderingVectorGroup, OrderingVectors } from '@hookproof/spec/vectors';
import { arrivalVectors } from './ordering/arrival.ts';
import { clockVectors } from './ordering/clocks.ts';
import { toOrderingVector } from './ordering/definition.ts';
import type { OrderingDefinition } from './ordering/definition.ts';
import { creationVectors, endVectors } from './ordering/ends.ts';
import { gapVectors } from './ordering/gaps.ts';
import { orderingNotes } from './ordering/notes.ts';
import { simultaneousVectors } from './ordering/simultaneous.ts';
import { fractionVectors, spellingVectors } from './ordering/time.ts';
import { vectorsText } from './types/step.ts';
import type { Step } from './types/step.ts';

/** Generates the ordering vectors from the case definitions in `ordering/`. */
export const orderingVectors: Step = {
  output: 'vectors/ordering.json',
  render() {
    return Promise.resolve(vectorsText(assemble()));
  },
};

function assemble(): OrderingVectors {
  const groups = [
    group('arrival', 'Late, repeated and shuffled deliveries.', arrivalVectors),
    group('spellings', 'createdAt in the forms of ISO 8601.', spellingVectors),
    group('fractions', 'Times that differ by less than a second.', fractionVectors),
    group('simultaneous', 'Events with the same createdAt.', simultaneousVectors),
    group('clocks', 'Events that were written by clocks that differ.', clockVectors),
    group('gaps', 'Histories with missing events.', gapVectors),
    group('creation', 'The beginning of a run.', creationVectors),
    group('end', 'The end of a run.', endVectors),
  ];
  return {
    about:
      'Events of runs in order of arrival, with the history that follows from them. README.md explains how to use this ' +
      'file. ordering.schema.json defines its format. `npm run generate` creates it from spec/generate/ordering.',
    numberOfVectors: groups.reduce((sum, { vectors }) => sum + vectors.length, 0),
    clockSkewMilliseconds: 250,
    notes: orderingNotes,
    groups,
  };
}

function group(
  name: string,
  comment: string,
  definitions: readonly OrderingDefinition[],
): OrderingVectorGroup {
  return { name, comment, vectors: definitions.map(toOrderingVector) };
}
