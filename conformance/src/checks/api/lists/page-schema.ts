import type { JsonSchema } from '@hookproof/spec/openapi';

import type { Check, Requirements } from '../../../check-kit/check.ts';
import { expectStatus, expectAllowed, violation } from '../../../check-kit/expect.ts';
import { contractSchema, expectSchema, partSchema } from '../../../check-kit/schema.ts';
import { firstPage, INBOX, listArea, LISTS, needEntries } from '../operations/lists.ts';
import type { PagedList } from '../operations/lists.ts';

const PAGE_REQUIREMENTS: Readonly<Record<PagedList['area'], Requirements>> = {
  inbox: [
    'inbox.page.fields',
    'versioning.wire.json-bodies',
    'versioning.wire.base-address',
    'inbox.list.status-200',
  ],
  template: ['template.page.fields', 'versioning.wire.json-bodies', 'versioning.wire.base-address'],
  agent: [
    'agent.page.fields',
    'versioning.wire.json-bodies',
    'agent.list.app-address',
    'versioning.path-major',
  ],
};

const ENTRY_REQUIREMENTS: typeof PAGE_REQUIREMENTS = {
  inbox: [
    'inbox.item.fields',
    'versioning.wire.timestamps-are-strings',
    'inbox.item.nullable-fields',
    'inbox.item.status-values',
    'inbox.focus-field.path',
    'inbox.focus-field.reason',
    'inbox.progress.fields',
    'states.review.values',
    'inbox.page.fields',
    'limits.progress-counters',
  ],
  template: [
    'template.item.required-fields',
    'versioning.wire.timestamps-are-strings',
    'template.item.optional-fields',
    'template.item.format-values',
    'template.item.grammar',
    'template.item.current-revision',
    'template.item.token',
    'template.list.tenant',
    'template.page.fields',
  ],
  agent: [
    'agent.item.required-fields',
    'versioning.wire.timestamps-are-strings',
    'agent.item.optional-fields',
    'agent.item.stats',
    'agent.page.fields',
  ],
};

/** The shape of a page and, separately, of each entry. */
export const pageSchemaChecks: readonly Check[] = LISTS.flatMap((list) => [
  pageSchema(list),
  listArea(list).check({
    name: 'item-schema',
    requirements: ENTRY_REQUIREMENTS[list.area],
    title: `each entry of ${list.title} has the documented fields and types`,
    async run(context) {
      const page = await firstPage(context, list);
      needEntries(list, page, 1);
      for (const entry of page.entries)
        expectSchema(list.entrySchema, entry, page.response, 'an entry');
    },
  }),
]);

function pageSchema(list: PagedList): Check {
  const faults = partSchema(withoutEntries(list));
  return listArea(list).check({
    name: 'page-schema',
    requirements: PAGE_REQUIREMENTS[list.area],
    title: `${list.title} returns a page of the documented shape`,
    async run({ api }) {
      const response = await api.sample({ path: list.path, query: { limit: 100, offset: 0 } });
      if (list === INBOX) expectStatus(response, 200);
      else expectAllowed(response);
      const found = faults(response.json);
      if (found !== null) throw violation(`a body that fits ${list.pageSchema}`, found, response);
    },
  });
}

/** The schema of a page whose entries may be any object. */
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
