import type { Automation, AutomationType } from '@hookproof/spec';

import type {
  AutomationList,
  AutomationVersionList,
  TriggerSettings,
} from '../../generated/companions.ts';
import { findAutomation, presentAutomation } from '../../api/automations/automation.ts';
import { currentVersion } from '../../api/automations/versions.ts';
import { cutPage, newestFirst } from '../../api/paging.ts';
import type { Paging } from '../../api/paging.ts';
import type { Handler, Services } from '../../api/services.ts';
import { notFound } from '../../errors.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { TenantId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReadonlyState } from '../../store/state.ts';

interface AutomationsQuery extends Paging {
  readonly search?: string;
  readonly type?: AutomationType;
  readonly folderId?: string;
}

/** `GET /v1/automations`: the workflows and agents of the tenant, newest first. */
export function listAutomations({ store }: Services): Handler<AutomationsQuery> {
  return async function handle({ key, query }): Promise<AutomationList> {
    const { state } = store;
    const { folderId } = query;
    if (folderId !== undefined) refuseUnknownFolder(state, key.tenantId, folderId);
    const automations = state.automations.filter(
      (automation) => automation.tenantId === key.tenantId && isSelected(automation, query),
    );
    const { entries, total, limit, offset } = cutPage(newestFirst(automations), query);
    const data = entries.map((automation) => presentAutomation(state, automation));
    return { data, total, limit, offset };
  };
}

function refuseUnknownFolder(state: ReadonlyState, tenantId: TenantId, folderId: string): void {
  if (state.folders.get(folderId)?.tenantId === tenantId) return;
  throw notFound('folderId', 'no folder has this id');
}

function isSelected(
  automation: DeepReadonly<AutomationRecord>,
  { search, type, folderId }: AutomationsQuery,
): boolean {
  if (type !== undefined && automation.type !== type) return false;
  if (folderId !== undefined && automation.folderId !== folderId) return false;
  return search === undefined || matches(automation, search);
}

/** Ignores case. */
function matches(
  { slug, name, description }: DeepReadonly<AutomationRecord>,
  search: string,
): boolean {
  const lowerCase = search.toLowerCase();
  return [slug, name, description].some((text) => text.toLowerCase().includes(lowerCase));
}

/** `GET /v1/automations/{id}`: a workflow or an agent, by id or alias. */
export function getAutomation({ store }: Services): Handler {
  return async function handle({ key, path }): Promise<Automation> {
    const { state } = store;
    return presentAutomation(state, findAutomation(state, key.tenantId, path['id'] ?? ''));
  };
}

/** `GET /v1/automations/{id}/versions`: the versions of an automation, newest first. */
export function listAutomationVersions({ store: { state } }: Services): Handler<Paging> {
  return async function handle({ key, path, query }): Promise<AutomationVersionList> {
    const automation = findAutomation(state, key.tenantId, path['id'] ?? '');
    const current = currentVersion(automation);
    const { entries, total, limit, offset } = cutPage(automation.versions, query);
    const data = entries.map((version) => ({
      id: version.id,
      automationId: automation.id,
      version: version.version,
      sourceRef: version.sourceRef,
      isCurrent: version === current,
      createdAt: version.createdAt,
    }));
    return { data, total, limit, offset };
  };
}

/** `GET /v1/automations/{id}/triggers`: the ways to start an automation. */
export function getAutomationTriggers({ store: { state } }: Services): Handler {
  return async function handle({ key, path }): Promise<TriggerSettings> {
    const { id, type, triggers } = findAutomation(state, key.tenantId, path['id'] ?? '');
    return {
      automationId: id,
      type,
      triggers: {
        api: triggers.api === true,
        email: triggers.email === true,
        manual: triggers.manual === true,
        cron: triggers.cron === true,
      },
    };
  };
}
