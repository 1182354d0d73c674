import type { Check } from '../../../check-kit/check.ts';
import { violation } from '../../../check-kit/expect.ts';
import { missingFields } from '../../../check-kit/schema.ts';
import { firstPage, listArea, needEntries, TEMPLATES } from '../operations/lists.ts';

/** The entries of the templates list. */
export const templateChecks: readonly Check[] = [
  listArea(TEMPLATES).check({
    name: 'fields-present',
    requirements: ['template.item.fields-present'],
    title: 'each template has every field that is not marked as optional',
    async run(context) {
      const page = await firstPage(context, TEMPLATES);
      needEntries(TEMPLATES, page, 1);
      for (const entry of page.entries) {
        const missing = missingFields('Template', entry);
        if (missing.length === 0) continue;
        throw violation(
          'every field',
          `${String(entry['id'])} without ${missing.join(', ')}`,
          page.response,
        );
      }
    },
  }),
];
