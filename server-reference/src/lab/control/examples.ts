import type { ExampleCreation } from '@hookproof/spec/control';

import { isoTime } from '../../platform/clock/clock.ts';
import { readExampleName } from '../../platform/datasets/artifact-path.ts';
import { addExample, holdFiles } from '../../platform/datasets/examples.ts';
import type { LabServices } from './services.ts';
import type { ExampleRecord } from '../../platform/state/datasets.ts';
import type { State } from '../../platform/state/state.ts';
import { refuseFull } from '../../platform/store/room.ts';
import { findAutomationOf, findWorld } from './find.ts';
import { readGivenFiles } from './given-files.ts';
import type { ControlRoute } from './operation.ts';

/** The route to create dataset examples with files, which the API cannot create. */
export function exampleRoutes({ store, blobs, clock, settings }: LabServices): ControlRoute[] {
  const create: ControlRoute<ExampleCreation> = {
    operationId: 'createExample',
    async handle({ body }) {
      refuseFull(store.state);
      readExampleName(body.name, 'name');
      const maxBytes = settings.uploadLimitBytes;
      const given = {
        input: readGivenFiles('input', body.input, maxBytes),
        expected: readGivenFiles('expected', body.expected, maxBytes),
      };
      const created = await holdFiles(blobs, given.input, (input) =>
        holdFiles(blobs, given.expected, (expected) =>
          store.commit((state) => {
            const createdAt = isoTime(clock.now());
            return createExample(state, body, { createdAt, input, expected });
          }),
        ),
      );
      const { id, automationId, name, createdAt, input, expected } = created;
      return { status: 201, body: { id, automationId, name, createdAt, input, expected } };
    },
  };
  return [create];
}

function createExample(
  state: State,
  { worldId, automationId, name }: ExampleCreation,
  parts: Pick<ExampleRecord, 'createdAt' | 'input' | 'expected'>,
): ExampleRecord {
  const world = findWorld(state, worldId);
  const automationOrDefault = automationId ?? world.fixtures.datasetAutomationId;
  const { id, tenantId } = findAutomationOf(state, world, automationOrDefault);
  return addExample(state, { tenantId, automationId: id, name, ...parts });
}
