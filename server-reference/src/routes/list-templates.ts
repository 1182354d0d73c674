import type { Template, TemplateList } from '@hookproof/spec';

import type { Handler, Services } from '../app/handler.ts';
import type { TemplateRecord } from '../state/template.ts';
import { find } from '../store/find.ts';
import { recordsOf } from '../store/records-of.ts';
import { cutPage } from './page.ts';
import type { Paging } from './page.ts';

/** `GET /v1/templates`: the templates of the tenant, newest first. */
export function listTemplates({ store }: Services): Handler<Paging> {
  return async function handle({ key, query }): Promise<TemplateList> {
    const ids = find(store.state.listed.templates, key.tenantId) ?? [];
    const page = cutPage(ids, query);
    return {
      items: recordsOf(page.entries, store.state.templates).map(presentTemplate),
      total: page.total,
    };
  };
}

function presentTemplate({ tenantId: _tenantId, ...template }: TemplateRecord): Template {
  return template;
}
