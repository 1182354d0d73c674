import { notFound } from '../app/api-error.ts';
import type { AutomationRecord } from '../state/automation.ts';
import { find } from '../store/find.ts';
import type { State } from '../store/state.ts';

const ALIAS = /^(workflow|agent)s\.(.+)$/s;

/**
 * The tenant's automation with this id or alias (`workflows.<slug>`, `agents.<slug>`); else 404.
 *
 * @param field - where the caller named it
 */
export function findAutomation(
  state: State,
  tenantId: string,
  idOrAlias: string,
  field: string = 'id',
): AutomationRecord {
  const [, type, slug] = ALIAS.exec(idOrAlias) ?? [];
  const found =
    type === undefined
      ? find(state.automations, idOrAlias)
      : Object.values(state.automations).find(
          (row) => row.tenantId === tenantId && row.type === type && row.slug === slug,
        );
  if (found === undefined || found.tenantId !== tenantId) {
    const hint = aliasHint(state, tenantId, slug ?? idOrAlias);
    throw notFound(field, 'no automation has this id or alias', hint);
  }
  return found;
}

/** For a slug without its type, or behind the wrong one; only what the tenant has counts. */
function aliasHint(state: State, tenantId: string, slug: string): string | undefined {
  const meant = Object.values(state.automations).find(
    (row) => row.tenantId === tenantId && row.slug === slug,
  );
  return meant && `The alias of ${meant.name} is ${meant.type}s.${meant.slug}.`;
}
