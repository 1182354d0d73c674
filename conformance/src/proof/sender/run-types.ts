import type { Fields } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import { isAgent, isReal, isWorkflow } from './alter.ts';
import { changed } from './changed-run.ts';

const automation = 'webhook-run.automation-id';

/** Runs whose type, automation or trigger is another one. */
export const runTypeDefects: readonly Defect[] = [
  changed(
    'automation-id-without-prefix',
    'has an automationId without a prefix',
    automation,
    prefixed(''),
  ),
  changed(
    'automation-id-flow',
    'has an automationId that starts with flow_',
    automation,
    prefixed('flow_'),
  ),
  changed(
    'automation-id-upper-case',
    'has an automationId that starts with WF_ or AGENT_',
    automation,
    (run) => (run['automationId'] = String(run['automationId']).toUpperCase()),
  ),
  changed(
    'automation-id-wf-for-agents',
    'of an agent has an automationId that starts with wf_',
    automation,
    prefixed('wf_'),
    isAgent,
  ),
  changed(
    'automation-id-agent-for-workflows',
    'of a workflow has an automationId that starts with agent_',
    automation,
    prefixed('agent_'),
    isWorkflow,
  ),
  changed(
    'type-always-workflow',
    'always has the type workflow',
    'webhook-run.type-agrees',
    (run) => (run['type'] = 'workflow'),
    isReal,
  ),
  changed(
    'type-always-agent',
    'always has the type agent',
    'webhook-run.type-agrees',
    (run) => (run['type'] = 'agent'),
    isReal,
  ),
  changed(
    'type-swapped',
    'has the type of the other kind',
    'webhook-run.type-agrees',
    (run) => (run['type'] = run['type'] === 'agent' ? 'workflow' : 'agent'),
  ),
  changed(
    'type-flow',
    'has the type flow',
    'webhook-run.type-values',
    (run) => (run['type'] = 'flow'),
  ),
  changed(
    'type-upper-case',
    'has its type in upper case',
    'webhook-run.type-values',
    (run) => (run['type'] = String(run['type']).toUpperCase()),
  ),
  changed(
    'trigger-always-api',
    'always has the trigger api',
    'webhook-run.identity',
    (run) => (run['triggerType'] = 'api'),
  ),
  changed(
    'trigger-upper-case',
    'has its trigger in upper case',
    'webhook-run.identity',
    (run) => (run['triggerType'] = String(run['triggerType']).toUpperCase()),
  ),
  changed(
    'automation-other',
    'has the id of another automation',
    'webhook-run.identity',
    (run) => (run['automationId'] = `${String(run['automationId'])}9`),
    isReal,
  ),
  changed(
    'trigger-list',
    'has a list of triggers',
    'webhook-run.trigger-type',
    (run) => (run['triggerType'] = ['api']),
  ),
  changed(
    'started-at-boolean',
    'has a boolean as startedAt',
    'webhook-run.started-at',
    (run) => (run['startedAt'] = run['startedAt'] !== null),
  ),
  changed(
    'completed-at-boolean',
    'has a boolean as completedAt',
    'webhook-run.completed-at',
    (run) => (run['completedAt'] = run['completedAt'] !== null),
  ),
];

/** Gives automationId another prefix. */
function prefixed(prefix: string): (run: Fields) => void {
  return (run) => {
    run['automationId'] = String(run['automationId']).replace(/^(wf|agent)_/, prefix);
  };
}
