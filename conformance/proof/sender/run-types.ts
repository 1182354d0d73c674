import { defect } from '../kit/defect.ts';
import type { Defect } from '../kit/defect.ts';
import type { Fields } from '../kit/message.ts';
import { editRun, isAgent, isReal } from '../kit/sender.ts';

const AUTOMATION = 'webhook-run.automation-id';
const AGREES = 'webhook-run.type-agrees';
const FIELDS = 'webhook-run.fields';
const IDENTITY = 'webhook-run.identity';

/** Runs whose type, automation or trigger is another one. */
export const runTypeDefects: readonly Defect[] = [
  defect({
    id: 'run-automation-id-without-prefix',
    breaks: AUTOMATION,
    does: 'automationId has no prefix.',
    sender: editRun(prefixed('')),
  }),
  defect({
    id: 'run-automation-id-wf-for-agents',
    breaks: AUTOMATION,
    does: 'automationId of an agent run starts with wf_.',
    sender: editRun(prefixed('wf_'), isAgent),
  }),
  defect({
    id: 'run-type-always-workflow',
    breaks: AGREES,
    does: 'Every run has the type workflow.',
    sender: editRun((run) => (run['type'] = 'workflow'), isReal),
  }),
  defect({
    id: 'run-type-flow',
    breaks: FIELDS,
    does: 'A run has the type flow.',
    sender: editRun((run) => (run['type'] = 'flow')),
  }),
  defect({
    id: 'run-trigger-always-api',
    breaks: IDENTITY,
    does: 'Every run has the trigger api.',
    sender: editRun((run) => (run['triggerType'] = 'api')),
  }),
  defect({
    id: 'run-automation-other',
    breaks: IDENTITY,
    does: 'A run has the id of another automation.',
    sender: editRun((run) => (run['automationId'] = `${String(run['automationId'])}9`), isReal),
  }),
  defect({
    id: 'run-trigger-list',
    breaks: FIELDS,
    does: 'triggerType is an array.',
    sender: editRun((run) => (run['triggerType'] = ['api'])),
  }),
];

/** Gives automationId another prefix. */
function prefixed(prefix: string): (run: Fields) => void {
  return (run) => {
    run['automationId'] = String(run['automationId']).replace(/^(wf|agent)_/, prefix);
  };
}
