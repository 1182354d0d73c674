import type { Evaluators, EvaluatorsUpdate } from '../../generated/companions.ts';
import { findAutomation } from '../../api/automations/automation.ts';
import type { ApiRequest, Handler, Services } from '../../api/services.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReadonlyState } from '../../store/state.ts';
import { evaluatorsOf, readEvaluators } from './evaluator-config.ts';

/** `GET /v1/automations/{id}/evaluators`: the evaluators of an automation. */
export function getEvaluators({ store: { state } }: Services): Handler {
  return async function handle({ key, path }): Promise<DeepReadonly<Evaluators>> {
    return presentEvaluators(state, findAutomation(state, key.tenantId, path['id'] ?? ''));
  };
}

/** `PUT /v1/automations/{id}/evaluators`: replaces the evaluators of an automation. */
export function replaceEvaluators({ store }: Services): Handler<unknown, EvaluatorsUpdate> {
  return async function handle({
    key,
    path,
    body: { yaml },
  }: ApiRequest<unknown, EvaluatorsUpdate>): Promise<DeepReadonly<Evaluators>> {
    const find = (state: ReadonlyState): DeepReadonly<AutomationRecord> =>
      findAutomation(state, key.tenantId, path['id'] ?? '');
    // An unknown automation is refused before its evaluators are read.
    find(store.state);
    const config = readEvaluators(yaml);
    return store.commit((state) => {
      const automation = find(state);
      state.evaluators.add({ id: automation.id, tenantId: automation.tenantId, yaml, config });
      return presentEvaluators(state, automation);
    });
  };
}

function presentEvaluators(
  state: ReadonlyState,
  { id, type }: DeepReadonly<AutomationRecord>,
): DeepReadonly<Evaluators> {
  const { yaml, config } = evaluatorsOf(state, id);
  return { automationId: id, automationType: type, yaml, config };
}
