import type { Check } from '../../../check-kit/check.ts';
import { expectAllowed, show, violation } from '../../../check-kit/expect.ts';
import { isRecord } from '../../../http/message.ts';
import { listArea, LISTS } from '../operations/lists.ts';

/** A list without limit and offset: the contract requires neither. */
export const withoutPageChecks: readonly Check[] = LISTS.map((list) =>
  listArea(list).check({
    name: 'without-page',
    requirements: [`${list.area}.page.optional`],
    title: `${list.title} is listed without limit and offset, and with one of them`,
    async run({ api }) {
      for (const query of [{}, { limit: 1 }, { offset: 0 }]) {
        const response = await api.sample({ path: list.path, query });
        expectAllowed(response);
        const limit = isRecord(response.json) ? response.json['limit'] : undefined;
        if (typeof limit !== 'number' || (limit >= 1 && limit <= 100)) continue;
        throw violation('a limit from 1 to 100', show(limit), response);
      }
    },
  }),
);
