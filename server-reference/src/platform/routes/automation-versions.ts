import type { AutomationVersionList, TriggerSettings } from '@hookproof/spec';

import { currentVersion } from '../automations/versions.ts';
import { findAutomation } from '../resources/find.ts';
import { cutPage } from '../resources/lists.ts';
import type { Paging } from '../resources/lists.ts';
import type { Handler, Services } from './services.ts';

/** `GET /v1/automations/{id}/versions`: the versions of an automation, newest first. */
export function listAutomationVersions({ store: { state } }: Services): Handler<Paging> {
  return async function handle({ key, path, query }): Promise<AutomationVersionList> {
    const automation = findAutomation(state, key.tenantId, path['id'] ?? '');
    const current = currentVersion(automation);
    const { entries, total, limit, offset } = cutPage(automation.versions, query);
    const data = entries.map((one) => ({
      id: one.id,
      automationId: automation.id,
      version: one.version,
      sourceRef: one.sourceRef,
      isCurrent: one === current,
      createdAt: one.createdAt,
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
