import type { TemplateList } from '@hookproof/spec';

import { cutPage } from '../resources/lists.ts';
import type { Paging } from '../resources/lists.ts';
import { presentTemplate } from '../resources/present.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { find, recordsOf } from '../store/records.ts';
import type { Handler, Services } from './services.ts';

/** `GET /v1/templates`: the templates of the tenant, newest first. */
export function listTemplates({ store }: Services): Handler<Paging> {
  return async function handle({ key, query }): Promise<DeepReadonly<TemplateList>> {
    const ids = find(store.state.listed.templates, key.tenantId) ?? [];
    const page = cutPage(ids, query);
    return {
      items: recordsOf(page.entries, store.state.templates).map(presentTemplate),
      total: page.total,
    };
  };
}
