import type { Template, TemplateList } from '@hookproof/spec';

import type { TemplateRecord } from '../../store/automations.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { recordsOf } from '../../store/table.ts';
import { cutPage } from '../paging.ts';
import type { Paging } from '../paging.ts';
import type { Handler, Services } from '../services.ts';

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

/** Returns a template as the list shows it. */
function presentTemplate({
  tenantId: _tenantId,
  ...template
}: DeepReadonly<TemplateRecord>): DeepReadonly<Template> {
  return template;
}
