import type { Automation } from '@hookproof/spec';

import { notFound } from '../../errors.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { TenantId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReadonlyState } from '../../store/state.ts';
import { folderPathOf } from './folders.ts';

const ALIAS = /^(workflow|agent)s\.(.+)$/s;

/**
 * Returns the tenant's automation with this id or alias. An alias is `workflows.` or `agents.` with a slug,
 * with a slug whose slashes are written as dots, or with an id. They are tried in this order.
 *
 * @param field - the request field with the id
 * @throws {ApiError} `not_found`
 */
export function findAutomation(
  state: StateWithAutomations,
  tenantId: TenantId,
  idOrAlias: string,
  field: string = 'id',
): DeepReadonly<AutomationRecord> {
  const found = lookUpAutomation(state, tenantId, idOrAlias);
  if (found !== undefined) return found;
  const [, , name = idOrAlias] = ALIAS.exec(idOrAlias) ?? [];
  const hint = aliasHint(state, tenantId, name);
  throw notFound(field, 'no automation has this id or alias', hint);
}

/** Returns the tenant's automation with this id or alias, or undefined. */
export function lookUpAutomation(
  state: StateWithAutomations,
  tenantId: TenantId,
  idOrAlias: string,
): DeepReadonly<AutomationRecord> | undefined {
  const byId = state.automations.get(idOrAlias);
  if (byId?.tenantId === tenantId) return byId;
  const [, type, name = idOrAlias] = ALIAS.exec(idOrAlias) ?? [];
  return type === undefined ? undefined : findNamed(state, tenantId, type, name);
}

function findNamed(
  state: StateWithAutomations,
  tenantId: TenantId,
  type: string,
  name: string,
): DeepReadonly<AutomationRecord> | undefined {
  return [
    ...withSlug(state, tenantId, name),
    ...withSlug(state, tenantId, name.replaceAll('.', '/')),
    state.automations.get(name),
  ].find((row) => row?.tenantId === tenantId && row.type === type);
}

type StateWithAutomations = Pick<ReadonlyState, 'automations'>;

function withSlug(
  { automations }: StateWithAutomations,
  tenantId: TenantId,
  slug: string,
): DeepReadonly<AutomationRecord>[] {
  return automations.filter((one) => one.tenantId === tenantId && one.slug === slug);
}

/** Suggests an automation of the tenant for a slug without its type, or with the wrong type. */
function aliasHint(
  state: StateWithAutomations,
  tenantId: TenantId,
  slug: string,
): string | undefined {
  const [match] = withSlug(state, tenantId, slug);
  return match && `The alias of ${match.name} is ${match.type}s.${match.slug}.`;
}

/** Returns an automation as the API shows it, with the path of its folder. */
export function presentAutomation(
  state: ReadonlyState,
  automation: DeepReadonly<AutomationRecord>,
): Automation {
  const { tenantId: _tenantId, versions: _versions, ...fields } = automation;
  return { ...fields, folderPath: folderPathOf(state, automation.folderId) };
}
