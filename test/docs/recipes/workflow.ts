import { parse } from 'yaml';

import type { Recipe, Step } from '../../../bin/dist/commands/init/recipe.js';

/** The parts of a GitHub workflow that the page uses. */
export interface Workflow {
  readonly name: string;
  readonly on: readonly string[];
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly 'runs-on': string;
        readonly env: Readonly<Record<string, string>>;
        readonly steps: readonly ({ readonly run: string } | { readonly uses: string })[];
      }
    >
  >;
}

const PATH = /^\.github\/workflows\/.+\.yml$/;

/** Reads the workflow that a page shows. */
export function workflowOf({ name, steps }: Recipe): Workflow {
  const file = steps.find((step) => step.kind === 'file' && PATH.test(step.name));
  if (file?.kind !== 'file') throw new Error(`${name}.md must show a workflow, got none.`);
  return parse(file.text);
}

/**
 * Returns what the job of a workflow does after its checkout: each `run` in a shell of its own that stops at the first
 * error. The actions that it uses are left out, because only GitHub has them.
 */
export function jobSteps(recipe: Recipe): Step[] {
  const firstFile = recipe.steps.findIndex(({ kind }) => kind === 'file');
  const checkout = recipe.steps.filter(
    ({ kind }, place) => kind === 'file' || (kind === 'command' && place < firstFile),
  );
  const [job] = Object.values(workflowOf(recipe).jobs);
  const environment = Object.entries(job?.env ?? {}).map(([name, value]) =>
    commandStep(`export ${name}='${value}'`),
  );
  const runs = (job?.steps ?? []).flatMap((step, place) => {
    if (!('run' in step)) return [];
    const name = `step-${place}.sh`;
    return [
      { kind: 'file', line: 0, name, text: step.run } as const,
      commandStep(`bash -e ${name}`),
    ];
  });
  return [...checkout, ...environment, ...runs];
}

function commandStep(command: string): Step {
  return { kind: 'command', line: 0, command };
}
