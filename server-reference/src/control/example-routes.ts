import { badRequest } from '../app/api-error.ts';
import type { Services } from '../app/handler.ts';
import { addExample } from '../datasets/add-example.ts';
import { readArtifactPath, readBasename } from '../datasets/artifact-path.ts';
import { inOrder, occupantOf } from '../datasets/example-files.ts';
import type { ExampleRecord } from '../state/example.ts';
import type { StoredFile } from '../state/stored-file.ts';
import { BlobTooLarge } from '../store/blobs.ts';
import type { State } from '../store/state.ts';
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
export function exampleRoutes(services: Services): ControlRoute[] {
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
    async handle({ body }) {
      readBasename(body.name, 'name');
      checkPlaces(body.input ?? [], 'input');
      checkPlaces(body.expected ?? [], 'expected');
      const held: StoredFile[] = [];
      try {
        const input = await keep(services, body.input ?? [], 'input', held);
        const expected = await keep(services, body.expected ?? [], 'expected', held);
        const created = await services.store.commit((state) => {
          const createdAt = new Date(services.clock.now()).toISOString();
          return createExample(state, body, { createdAt, input, expected });
        });
        const { tenantId: _tenantId, ...shown } = created;
        return { status: 201, body: shown };
      } finally {
        for (const { sha256 } of held) services.blobs.release(sha256);
      }
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
  const automation = findKnown(
    state.automations,
    automationId ?? world.fixtures.datasetAutomationId,
    'automationId',
    'automation of this world',
    ({ tenantId }) => state.tenants[tenantId]?.worldId === world.id,
  );
  const { id, tenantId } = automation;
  return addExample(state, { tenantId, automationId: id, name, ...parts });
}

/** Puts the bytes of files where records name them; `held` grows by what is to be released. */
async function keep(
  { blobs, settings }: Services,
  given: readonly GivenFile[],
  field: string,
  held: StoredFile[],
): Promise<StoredFile[]> {
  const kept: StoredFile[] = [];
  for (const [index, file] of given.entries()) {
    const source = bytesOf(file, `${field}[${index}]`);
    const bytes = await blobs.put(source, settings.uploadLimitBytes).catch((error: unknown) => {
      if (!(error instanceof BlobTooLarge)) throw error;
      throw badRequest('invalid_value', `${field}[${index}]`, error.message);
    });
    const contentType = file.contentType ?? 'application/octet-stream';
    const stored = { path: file.path, contentType, ...bytes };
    kept.push(stored);
    held.push(stored);
  }
  return inOrder(kept);
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
