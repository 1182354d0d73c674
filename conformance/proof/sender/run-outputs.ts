import { defect } from '../kit/defect.ts';
import type { Defect } from '../kit/defect.ts';
import { editRun } from '../kit/sender.ts';
import type { Seen } from '../kit/sender.ts';

const VALUE = 'webhook-run.output-value';
const OMITTED = 'webhook-run.output-omitted';

/** Runs whose output is another one, or is not marked as omitted. */
export const outputDefects: readonly Defect[] = [
  defect({
    id: 'run-output-as-string',
    breaks: VALUE,
    does: 'An event has the output as a string of JSON.',
    sender: editRun((run) => (run['output'] = JSON.stringify(run['output'])), hasOutput),
  }),
  defect({
    id: 'run-output-broken-text',
    breaks: VALUE,
    does: 'An event has question marks for the non-ASCII characters of the output.',
    sender: editRun((run) => {
      run['output'] = JSON.parse(JSON.stringify(run['output']).replaceAll(/[^\0-\x7f]/g, '?'));
    }, hasOutput),
  }),
  defect({
    id: 'run-output-omitted-and-sent',
    breaks: OMITTED,
    does: 'outputOmitted is true beside an output.',
    sender: editRun((run) => (run['outputOmitted'] = true), hasOutput),
  }),
  defect({
    id: 'run-output-omitted-unmarked',
    breaks: OMITTED,
    does: 'A large output is omitted without outputOmitted.',
    sender: editRun((run) => delete run['outputOmitted']),
  }),
  defect({
    id: 'run-output-omitted-false',
    breaks: OMITTED,
    does: 'outputOmitted is false although the output was omitted.',
    sender: editRun(
      (run) => (run['outputOmitted'] = false),
      ({ run }) => run['outputOmitted'] === true,
    ),
  }),
];

function hasOutput({ run }: Seen): boolean {
  return 'output' in run;
}
