import type { ExampleCreation } from '@hookproof/spec/control';

import { addExample } from '../../api/datasets/examples.ts';
import { readExampleName } from '../../api/files/artifact-path.ts';
import { storeFiles } from '../../api/files/file.ts';
import { isoTime } from '../../clock/clock.ts';
import type { ExampleRecord } from '../../store/datasets.ts';
import type { State } from '../../store/state.ts';
import { findAutomationOf, findWorld } from './find.ts';
import { readGivenFiles } from './given-files.ts';
import type { ControlRoute } from './operation.ts';
import type { LabServices } from './services.ts';

/** The route to create a dataset example with its files in one request. */
export function exampleRoutes({ store, blobs, clock, settings }: LabServices): ControlRoute[] {
  const create: ControlRoute<ExampleCreation> = {
    operationId: 'createExample',
    async handle({ body }) {
      readExampleName(body.name, 'name');
      const maxBytes = settings.uploadLimitBytes;
      const given = {
        input: readGivenFiles('input', body.input, maxBytes),
        expected: readGivenFiles('expected', body.expected, maxBytes),
      };
      const input = await storeFiles(blobs, given.input);
      const expected = await storeFiles(blobs, given.expected);
      const { id, automationId, name, createdAt } = await store.commit((state) =>
        createExample(state, body, { createdAt: isoTime(clock.now()), input, expected }),
      );
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
