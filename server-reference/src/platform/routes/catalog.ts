import type { ApiKeyIdentity, ExperimentReference, Template, TemplateList } from '@hookproof/spec';

import { notFound } from '../http/api-error.ts';
import { findOwner } from '../resources/find.ts';
import { cutPage } from '../resources/lists.ts';
import type { Paging } from '../resources/lists.ts';
import type { TemplateRecord } from '../state/automations.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { find, recordsOf } from '../store/records.ts';
import type { Handler, Services } from './services.ts';

/** `GET /v1/auth/check`: the tenant, user and scopes of the calling key. */
export function checkAuth({ store }: Services): Handler {
  return async function handle({ key }): Promise<DeepReadonly<ApiKeyIdentity>> {
    const { tenant, user } = findOwner(store.state, key);
    return {
      ok: true,
      tenantId: tenant.id,
      tenantSlug: tenant.slug,
      tenantName: tenant.name,
      userId: user.id,
      keyId: key.id,
      email: user.email,
      name: user.name,
      scope: key.scope,
      wildcardGranted: key.wildcardGranted,
    };
  };
}

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

function presentTemplate({
  tenantId: _tenantId,
  ...template
}: DeepReadonly<TemplateRecord>): DeepReadonly<Template> {
  return template;
}

/** `GET /v1/experiments/{experimentId}`: the automation of an experiment. */
export function getExperiment({ store }: Services): Handler {
  return async function handle({ key, path }): Promise<ExperimentReference> {
    const experiment = find(store.state.experiments, path['experimentId'] ?? '');
    if (experiment === undefined || experiment.tenantId !== key.tenantId) {
      throw notFound('experimentId', 'no experiment has this id');
    }
    return { id: experiment.id, automationId: experiment.automationId };
  };
}
