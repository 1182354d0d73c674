import { badRequest } from '../app/api-error.ts';
import type { Services } from '../app/handler.ts';
import { addExample } from '../datasets/add-example.ts';
import { readArtifactPath, readBasename } from '../datasets/artifact-path.ts';
import { inOrder, occupantOf } from '../datasets/example-files.ts';
import type { ExampleRecord } from '../state/example.ts';
import type { StoredFile } from '../state/stored-file.ts';
import { BlobTooLarge } from '../store/blobs.ts';
import { nextId } from '../store/next-id.ts';
import type { ControlRoute } from './control-route.ts';
import { findKnown, findWorld } from './find-known.ts';
import { generatedBytes } from './generated-bytes.ts';

/** The bytes are exactly one of `text`, `base64`, and so many generated ones. */
interface GivenFile {
  readonly path: string;
  readonly contentType?: string;
  readonly text?: string;
  readonly base64?: string;
  readonly size?: number;
}

interface ExampleCreation {
  readonly worldId?: string;
  readonly automationId?: string;
  readonly name: string;
  readonly input?: readonly GivenFile[];
  readonly expected?: readonly GivenFile[];
}

const BASE64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

const FILES = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['path'],
    properties: {
      path: { type: 'string' },
      contentType: { type: 'string', pattern: '^[\\w.+-]+/[\\w.+-]+$', maxLength: 255 },
      text: { type: 'string' },
      base64: { type: 'string', pattern: BASE64 },
      size: { type: 'integer', minimum: 0 },
    },
  },
};

/** Examples of a dataset with their files, which the API itself has no operation to make. */
export function exampleRoutes({ store, blobs, clock, settings }: Services): ControlRoute[] {
  async function keep(given: readonly GivenFile[], field: string): Promise<StoredFile[]> {
    const kept: StoredFile[] = [];
    for (const [index, file] of given.entries()) {
      const source = bytesOf(file, `${field}[${index}]`);
      const bytes = await blobs.put(source, settings.uploadLimitBytes).catch((error: unknown) => {
        if (!(error instanceof BlobTooLarge)) throw error;
        throw badRequest('invalid_value', `${field}[${index}]`, error.message);
      });
      const contentType = file.contentType ?? 'application/octet-stream';
      kept.push({ path: file.path, contentType, ...bytes });
    }
    return inOrder(kept);
  }

  const create: ControlRoute<ExampleCreation> = {
    method: 'POST',
    path: '/examples',
    bodySchema: {
      type: 'object',
      additionalProperties: false,
      required: ['name'],
      properties: {
        worldId: { type: 'string' },
        automationId: { type: 'string' },
        name: { type: 'string' },
        input: FILES,
        expected: FILES,
      },
    },
    async handle({ body: { worldId, automationId, name, input = [], expected = [] } }) {
      readBasename(name, 'name');
      checkPlaces(input, 'input');
      checkPlaces(expected, 'expected');
      const files = {
        input: await keep(input, 'input'),
        expected: await keep(expected, 'expected'),
      };
      const created = await store.commit((state): ExampleRecord => {
        const world = findWorld(state, worldId);
        const automation = findKnown(
          state.automations,
          automationId ?? world.fixtures.datasetAutomationId,
          'automationId',
          'automation of this world',
          ({ tenantId }) => state.tenants[tenantId]?.worldId === world.id,
        );
        const example: ExampleRecord = {
          id: nextId(state, 'ex_'),
          tenantId: automation.tenantId,
          automationId: automation.id,
          name,
          createdAt: new Date(clock.now()).toISOString(),
          ...files,
        };
        addExample(state, example);
        return example;
      });
      const { tenantId: _tenantId, ...shown } = created;
      return { status: 201, body: shown };
    },
  };
  return [create];
}

function checkPlaces(given: readonly GivenFile[], field: string): void {
  const before: StoredFile[] = [];
  for (const [index, { path }] of given.entries()) {
    const place = `${field}[${index}].path`;
    readArtifactPath(path, place);
    if (occupantOf(before, path) !== undefined) {
      throw badRequest('invalid_value', place, 'is the place of another file, or of its folder');
    }
    before.push({ path, contentType: '', size: 0, sha256: '' });
  }
}

function bytesOf({ text, base64, size }: GivenFile, field: string): AsyncIterable<Uint8Array> {
  const given = [text, base64, size].filter((one) => one !== undefined);
  if (given.length !== 1) {
    throw badRequest('invalid_value', field, 'needs exactly one of text, base64 and size');
  }
  if (size !== undefined) return generatedBytes(size);
  return once(text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text));
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
