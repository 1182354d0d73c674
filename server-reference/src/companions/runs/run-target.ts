import { findAutomation, lookUpAutomation } from '../../api/automations/automation.ts';
import { LATEST, resolveVersion } from '../../api/automations/versions.ts';
import { invalidValue, notFound } from '../../errors.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { TenantId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { RunVersion } from '../../store/runs.ts';
import type { ReadonlyState } from '../../store/state.ts';

/** An automation, and the text that names its version; undefined for the current one. */
interface RunTarget {
  readonly automation: DeepReadonly<AutomationRecord>;
  readonly version: string | undefined;
}

/**
 * Reads the target of a run: an id or alias, and a version behind `@` or in the query.
 *
 * @throws {ApiError} `not_found` for `target`; `invalid_value` for two different versions
 */
export function readTarget(
  state: ReadonlyState,
  tenantId: TenantId,
  target: string,
  version: string | undefined,
): RunTarget {
  const named = lookUpAutomation(state, tenantId, target);
  if (named !== undefined) return { automation: named, version };
  const at = target.lastIndexOf('@');
  if (at === -1) return { automation: findAutomation(state, tenantId, target, 'target'), version };
  const automation = findAutomation(state, tenantId, target.slice(0, at), 'target');
  const ownVersion = target.slice(at + 1);
  if (ownVersion === '') {
    throw invalidValue('target', 'must have a version after @');
  }
  if (version !== undefined && version !== ownVersion) {
    const message = 'must not name another version than the query parameter version';
    throw invalidValue('target', message);
  }
  return { automation, version: ownVersion };
}

/**
 * Returns the version that a run is made from; undefined if the automation has none.
 *
 * @param field - the request field with the text
 * @throws {ApiError} `not_found` for a version that the automation does not have
 */
export function findVersion(
  automation: DeepReadonly<AutomationRecord>,
  text: string | undefined,
  field: string = 'version',
): RunVersion | undefined {
  const found = resolveVersion(automation, text);
  const isNamed = text !== undefined && text !== LATEST;
  if (found === undefined) {
    if (!isNamed) return undefined;
    throw notFound(field, 'the automation has no version with this label, id or git ref');
  }
  const { id, version: label, sourceRef, commit } = found;
  return { id, label, requested: isNamed ? text : null, sourceRef, commit };
}
