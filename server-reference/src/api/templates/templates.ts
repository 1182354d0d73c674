import type { Template, TemplateList } from '@hookproof/spec';

import type { TemplateRecord } from '../../store/automations.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { cutPage, newestFirst } from '../paging.ts';
import type { Paging } from '../paging.ts';
import type { Handler, Services } from '../services.ts';

/** `GET /v1/templates`: the templates of the tenant, newest first. */
export function listTemplates({ store }: Services): Handler<Paging> {
  return async function handle({ key, query }): Promise<DeepReadonly<TemplateList>> {
    const templates = store.state.templates.filter(({ tenantId }) => tenantId === key.tenantId);
    const { entries, total } = cutPage(newestFirst(templates), query);
    return { items: entries.map(presentTemplate), total };
  };
}

/** Returns a template as the list shows it. */
function presentTemplate({
  tenantId: _tenantId,
  ...template
}: DeepReadonly<TemplateRecord>): DeepReadonly<Template> {
  return template;
}
