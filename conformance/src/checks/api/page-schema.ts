import type { JsonSchema } from '@hookproof/spec/openapi';

import type { Check } from '../../check.ts';
import { expectStatus, expectAllowed, violation } from '../expect.ts';
import { contractSchema, expectSchema, partSchema } from '../schema.ts';
import { firstPage, INBOX, LISTS, needEntries } from './list.ts';
import type { PagedList } from './list.ts';

/** The shape of a page, and apart from it the shape of each entry. */
export const pageSchemaChecks: readonly Check[] = LISTS.flatMap((list) => [
  pageSchema(list),
  {
    id: `api.${list.area}.item-schema`,
    requirement: list === INBOX ? 'inbox.item.fields' : `${list.area}.item.required-fields`,
    side: 'api',
    title: `each entry of ${list.title} has the documented fields and types`,
    effect: 'read',
    needs: list.needs,
    async run(context) {
      const page = await firstPage(context, list);
      needEntries(list, page, 1);
      for (const entry of page.entries) expectSchema(list.entrySchema, entry, page.response);
    },
  },
]);

function pageSchema(list: PagedList): Check {
  const faults = partSchema(withoutEntries(list));
  return {
    id: `api.${list.area}.page-schema`,
    requirement: `${list.area}.page.fields`,
    side: 'api',
    title: `${list.title} answers with a page of the documented shape`,
    effect: 'read',
    needs: list.needs,
    async run({ api }) {
      const response = await api.sample({ path: list.path, query: { limit: 100, offset: 0 } });
      if (list === INBOX) expectStatus(response, 200);
      else expectAllowed(response);
      const found = faults(response.json);
      if (found !== null) throw violation(`a body that fits ${list.pageSchema}`, found, response);
    },
  };
}

/** The schema of a page with entries of any kind. */
function withoutEntries(list: PagedList): JsonSchema {
  const schema = contractSchema(list.pageSchema);
  const properties: unknown = schema['properties'];
  return {
    ...schema,
    properties: {
      ...Object(properties),
      [list.entries]: { type: 'array', items: { type: 'object' } },
    },
  };
}
