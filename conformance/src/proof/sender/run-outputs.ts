import type { Defect } from '../kit/defect.ts';
import type { Seen } from './alter.ts';
import { changed } from './changed-run.ts';

const value = 'webhook-run.output-value';
const omitted = 'webhook-run.output-omitted';

/** Runs whose output is another one, or is not marked as omitted. */
export const outputDefects: readonly Defect[] = [
  changed(
    'output-cut',
    'has the first 50 characters of its output',
    value,
    (run) => (run['output'] = JSON.stringify(run['output']).slice(0, 50)),
    hasOutput,
  ),
  changed(
    'output-as-text',
    'has its output as a text',
    value,
    (run) => (run['output'] = JSON.stringify(run['output'])),
    hasOutput,
  ),
  changed(
    'output-of-another',
    'has the output of another run',
    value,
    (run) => (run['output'] = { text: 'another' }),
    hasOutput,
  ),
  changed(
    'output-in-list',
    'has its output in a list',
    value,
    (run) => (run['output'] = [run['output']]),
    hasOutput,
  ),
  changed(
    'output-broken-text',
    'has an output whose characters beyond ASCII are lost',
    value,
    (run) => {
      run['output'] = JSON.parse(JSON.stringify(run['output']).replaceAll(/[^\0-\x7f]/g, '?'));
    },
    hasOutput,
  ),
  changed(
    'output-omitted-and-sent',
    'has outputOmitted true beside its output',
    omitted,
    (run) => (run['outputOmitted'] = true),
    hasOutput,
  ),
  changed(
    'output-omitted-as-word',
    'has outputOmitted as a word',
    omitted,
    (run) => (run['outputOmitted'] = 'true'),
    hasOutput,
  ),
  changed(
    'output-omitted-unmarked',
    'has neither its large output nor outputOmitted',
    omitted,
    (run) => delete run['outputOmitted'],
  ),
  changed(
    'output-omitted-false',
    'has outputOmitted false although its output was removed',
    omitted,
    (run) => (run['outputOmitted'] = false),
    ({ run }) => run['outputOmitted'] === true,
  ),
];

function hasOutput({ run }: Seen): boolean {
  return 'output' in run;
}
