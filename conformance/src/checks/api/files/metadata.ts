import type { JsonSchema } from '@hookproof/spec/openapi';

import { area } from '../../../check-kit/area.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import {
  expectAllowed,
  assumeSuccess,
  expectEqual,
  show,
  violation,
} from '../../../check-kit/expect.ts';
import { contractSchema, partSchema } from '../../../check-kit/schema.ts';
import { membersOf } from '../../../http/message.ts';
import { filePath, knownFiles } from '../operations/files.ts';

const fileArea = area('api.file', { access: 'read', needs: ['key.main', 'fixture.fileId'] });

/** The metadata of a file. */
export const fileMetadataChecks: readonly Check[] = [
  fileArea.check({
    name: 'fields',
    requirements: [
      'file.fields',
      'versioning.wire.json-bodies',
      'versioning.wire.timestamps-are-strings',
      'file.size.range',
    ],
    title: 'a file has the documented strings, and a safe integer as its size',
    async run(context) {
      const response = await ask(context, context.fixture('fileId'));
      const found = fieldFaults(response.json);
      if (found !== null) throw violation('a body that fits File', found, response);
    },
  }),
  fileArea.check({
    name: 'purpose',
    requirements: ['file.purpose.type'],
    title: 'the purpose of a file is a string, null or absent',
    async run(context) {
      for (const id of await knownFiles(context)) {
        const response = await ask(context, id);
        const { purpose } = membersOf(response.json);
        if (purpose !== undefined && purpose !== null && typeof purpose !== 'string') {
          throw violation('a string, null or no purpose', show(purpose), response);
        }
      }
    },
  }),
  fileArea.check({
    name: 'asked-for',
    requirements: ['file.metadata'],
    title: 'returns the metadata of the requested file',
    async run(context) {
      for (const id of await knownFiles(context)) {
        const response = await ask(context, id);
        expectEqual('id', membersOf(response.json)['id'], id, response);
      }
    },
  }),
  fileArea.check({
    name: 'readable',
    requirements: ['file.metadata'],
    title: 'responds with a 2xx to a request for the metadata of a file',
    async run(context) {
      const path = filePath(context.fixture('fileId'));
      expectAllowed(await context.api.sample({ path }));
    },
  }),
];

async function ask({ api }: CheckContext, id: string): Promise<ApiResponse> {
  const response = await api.sample({ path: filePath(id) });
  assumeSuccess(response);
  return response;
}

const fieldFaults = partSchema(withAnyPurpose(contractSchema('File')));

/** Another check judges the purpose. */
function withAnyPurpose(schema: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...Object(schema['properties']), purpose: {} } };
}
