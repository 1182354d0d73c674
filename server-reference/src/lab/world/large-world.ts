import { isoTime } from '../../platform/clock/clock.ts';
import type { AgentRecord, AutomationRecord } from '../../platform/state/automations.ts';
import type { AutomationId, RunId } from '../../platform/state/ids.ts';
import { isTerminal } from '../../platform/state/run-transitions.ts';
import type { RunRecord, RunStatus } from '../../platform/state/runs.ts';
import type { State } from '../../platform/state/state.ts';
import type { World } from '../../platform/state/world.ts';
import { manyIds } from '../../platform/store/seed.ts';

/** The numbers of records that a large world has besides those of each world. */
export interface Additions {
  readonly automations: number;
  readonly examples: number;
  readonly runs: number;
}

export const LARGE: Additions = { automations: 1_000, examples: 10_000, runs: 100_000 };

/** The age of the oldest run. */
const RUN_DAYS = 90;

/** So few that the list of agents fits on one page. */
const ONE_AGENT_IN = 20;

const DAY_MILLISECONDS = 86_400_000;

/**
 * Adds many automations, examples and ended runs to the main tenant of a world. Each is a copy of a record of
 * the world with another id, name and time, so that creating all of them takes less than a second.
 *
 * @param now - milliseconds since the epoch, as for the world
 */
export function enlargeWorld(state: State, world: World, now: number, additions: Additions): void {
  const automations = addAutomations(state, world, additions.automations);
  addExamples(state, world, automations, additions.examples);
  addRuns(state, world, automations, { now, count: additions.runs });
}

function addAutomations(state: State, { tenantId }: World, count: number): AutomationRecord[] {
  const templates = [...state.automations.values()]
    .filter((one) => one.tenantId === tenantId)
    .map(({ id }) => structuredClone(state.automations.edit(id)));
  const ids = { workflow: manyIds(state, 'wf_'), agent: manyIds(state, 'agent_') };
  const versionId = manyIds(state, 'ver_');
  const byType = {
    workflow: templates.filter(({ type }) => type === 'workflow'),
    agent: templates.filter(({ type }) => type === 'agent'),
  };
  let versions = 0;
  return Array.from({ length: count }, (_none, number) => {
    const isAgent = number % ONE_AGENT_IN === 0;
    const template = isAgent
      ? pick(byType.agent, number / ONE_AGENT_IN)
      : pick(byType.workflow, number);
    const automation: AutomationRecord = {
      ...template,
      id: ids[template.type](number),
      slug: `${template.slug}-${number}`,
      name: `${template.name} ${number}`,
      versions: template.versions.map((version) => ({ ...version, id: versionId(versions++) })),
    };
    state.automations.add(automation);
    const agent = state.agents.get(template.id);
    if (agent !== undefined) state.agents.add(agentOf(automation, state.agents.edit(agent.id)));
    return automation;
  });
}

function agentOf({ id, slug, name }: AutomationRecord, template: AgentRecord): AgentRecord {
  return { ...template, id, slug, name };
}

function addExamples(
  state: State,
  { tenantId }: World,
  automations: readonly AutomationRecord[],
  count: number,
): void {
  const templates = [...state.examples.values()]
    .filter((one) => one.tenantId === tenantId)
    .map(({ id }) => structuredClone(state.examples.edit(id)));
  const exampleId = manyIds(state, 'ex_');
  for (let number = 0; number < count; number += 1) {
    const template = pick(templates, number);
    const automation = pick(automations, number);
    state.examples.add({
      ...template,
      id: exampleId(number),
      automationId: automation.id,
      name: `${template.name} ${number}`,
    });
  }
}

/** Adds runs evenly over the last days, oldest first. */
function addRuns(
  state: State,
  { tenantId }: World,
  automations: readonly AutomationRecord[],
  { now, count }: { readonly now: number; readonly count: number },
): void {
  const templates = [...state.runs.values()]
    .filter((run) => run.tenantId === tenantId && isTerminal(run.status))
    .filter(({ origin }) => origin === 'top-level')
    .map(({ id }) => state.runs.edit(id));
  const byType = {
    workflow: templates.filter(({ type }) => type === 'workflow').map(runTemplate),
    agent: templates.filter(({ type }) => type === 'agent').map(runTemplate),
  };
  const runId = manyIds(state, 'exec_');
  const step = (RUN_DAYS * DAY_MILLISECONDS) / count;
  for (let number = 0; number < count; number += 1) {
    const automation = pick(automations, number * 7);
    const template = pick(byType[automation.type], number);
    const createdAt = now - Math.round((count - number) * step);
    state.runs.add(runLike(template, runId(number), automation.id, createdAt));
  }
}

/** A run to copy, with its statuses by the milliseconds after its creation. */
interface RunTemplate {
  readonly run: RunRecord;
  readonly history: readonly { readonly status: RunStatus; readonly after: number }[];
  /** The place of its start in the history; -1 if it did not start. */
  readonly start: number;
}

function runTemplate(run: RunRecord): RunTemplate {
  return {
    run,
    history: run.history.map(({ status, at }) => ({
      status,
      after: Date.parse(at) - Date.parse(run.createdAt),
    })),
    start: run.history.findIndex(({ at }) => at === run.startedAt),
  };
}

/** An ended run never changes, so the copies share what they do not replace. */
function runLike(
  { run, history: statuses, start }: RunTemplate,
  id: RunId,
  automationId: AutomationId,
  createdAt: number,
): RunRecord {
  const history = statuses.map(({ status, after }) => ({
    status,
    at: isoTime(createdAt + after),
  }));
  // Replacing fields of a copy takes a fifth of the time of a literal that replaces them.
  const copy: RunRecord = { ...run };
  copy.id = id;
  copy.kept = true;
  copy.automationId = automationId;
  copy.createdAt = history[0]?.at ?? run.createdAt;
  copy.startedAt = history[start]?.at ?? null;
  copy.completedAt = history.at(-1)?.at ?? null;
  copy.history = history;
  return copy;
}

function pick<T>(list: readonly T[], number: number): T {
  const found = list[number % list.length];
  if (found === undefined) throw new RangeError('Nothing can be picked from an empty list.');
  return found;
}
