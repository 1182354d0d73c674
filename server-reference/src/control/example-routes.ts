import type { ExampleCreation } from '@hookproof/spec/control';

import type { Services } from '../app/handler.ts';
import { addExample } from '../datasets/add-example.ts';
import { readBasename } from '../datasets/artifact-path.ts';
import type { ExampleRecord } from '../state/example.ts';
import { holdFiles } from '../store/hold-files.ts';
import type { State } from '../store/state.ts';
import type { ControlRoute } from './control-route.ts';
import { findAutomationOf, findWorld } from './find-known.ts';
import { readGivenFiles } from './given-files.ts';

/** Examples of a dataset with their files, which the API itself has no operation to make. */
export function exampleRoutes({ store, blobs, clock, settings }: Services): ControlRoute[] {
  const create: ControlRoute<ExampleCreation> = {
    operationId: 'createExample',
    async handle({ body }) {
      readBasename(body.name, 'name');
      const most = settings.uploadLimitBytes;
      const given = {
        input: readGivenFiles('input', body.input, most),
        expected: readGivenFiles('expected', body.expected, most),
      };
      const created = await holdFiles(blobs, given.input, (input) =>
        holdFiles(blobs, given.expected, (expected) =>
          store.commit((state) => {
            const createdAt = new Date(clock.now()).toISOString();
            return createExample(state, body, { createdAt, input, expected });
          }),
        ),
      );
      const { tenantId: _tenantId, ...shown } = created;
      return { status: 201, body: shown };
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
