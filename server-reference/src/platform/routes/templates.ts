import type { TemplateList } from '@hookproof/spec';

import { cutPage } from '../resources/lists.ts';
import type { Paging } from '../resources/lists.ts';
import { presentTemplate } from '../resources/present.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { recordsOf } from '../state/table.ts';
import type { Handler, Services } from './services.ts';

/** `GET /v1/templates`: the templates of the tenant, newest first. */
export function listTemplates({ store }: Services): Handler<Paging> {
  return async function handle({ key, query }): Promise<DeepReadonly<TemplateList>> {
    const ids = store.state.listed.templates.of(key.tenantId);
    const page = cutPage(ids, query);
    return {
      items: recordsOf(page.entries, store.state.templates).map(presentTemplate),
      total: page.total,
    };
  };
}
