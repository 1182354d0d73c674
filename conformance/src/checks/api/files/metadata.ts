import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import { assumeSuccess, expectAllowed, expectEqual, violation } from '../../../check-kit/expect.ts';
import { missingFields } from '../../../check-kit/schema.ts';
import { membersOf } from '../../../http/message.ts';
import { filePath, knownFiles } from '../operations/files.ts';

const fileArea = area('api.file', { access: 'read', needs: ['key.main', 'fixture.fileId'] });

/** The metadata of a file. */
export const fileMetadataChecks: readonly Check[] = [
  fileArea.check({
    name: 'asked-for',
    requirements: ['file.metadata'],
    title: 'returns the metadata of the requested file',
    async run(context) {
      for (const id of await knownFiles(context)) {
        const response = await context.api.sample({ path: filePath(id) });
        expectAllowed(response);
        expectEqual('id', membersOf(response.json)['id'], id, response);
      }
    },
  }),
  fileArea.check({
    name: 'fields-present',
    requirements: ['file.fields.present'],
    title: 'the metadata of a file has every field that is not marked as optional',
    async run(context) {
      const path = filePath(context.fixture('fileId'));
      const response = await context.api.sample({ path });
      assumeSuccess(response);
      const missing = missingFields('File', response.json);
      if (missing.length > 0) throw violation('every field', `no ${missing.join(', ')}`, response);
    },
  }),
];
