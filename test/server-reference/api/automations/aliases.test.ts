import { afterAll, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';

const app = await openApp({
  arrange(state, { fixtures: { workflowId, agentId, otherTenantAutomationId } }) {
    for (const row of state.automations.values()) {
      if (row.id === workflowId) state.automations.edit(row.id).slug = 'team/invoices/read';
      if (row.id === agentId) state.automations.edit(row.id).slug = 'team.mailer';
      if (row.id === otherTenantAutomationId) state.automations.edit(row.id).slug = 'theirs';
    }
  },
});
afterAll(() => app.close());
const { workflowId, agentId, otherTenantAutomationId } = app.world.fixtures;

async function idOf(alias: string): Promise<unknown> {
  const path = `/v1/automations/${encodeURIComponent(alias)}`;
  const { status, body } = await call(app.listener, { path, key: app.world.keys.wildcard });
  return status === 200 ? body.id : `${status} ${body.issues[0].field}: ${body.issues[0].message}`;
}

test.each([
  ['an id', workflowId, workflowId],
  ['a slug', 'workflows.team/invoices/read', workflowId],
  ['a slug with dots for slashes', 'workflows.team.invoices.read', workflowId],
  ['a slug that has a dot', 'agents.team.mailer', agentId],
  ['an id behind its type', `workflows.${workflowId}`, workflowId],
  ['an id of an agent behind its type', `agents.${agentId}`, agentId],
])('%s names an automation', async (_what, alias, id) => {
  expect(await idOf(alias)).toBe(id);
});

test.each([
  ['a slug without a type', 'team/invoices/read'],
  ['a slug of another type', 'agents.team.invoices.read'],
  ['an id behind another type', `agents.${workflowId}`],
  ['an id of another tenant', otherTenantAutomationId],
  ['an id of another tenant behind its type', `workflows.${otherTenantAutomationId}`],
  ['a slug of another tenant', 'workflows.theirs'],
  ['an empty name', 'workflows.'],
])('%s names none', async (_what, alias) => {
  expect(await idOf(alias)).toBe('404 id: no automation has this id or alias');
});
