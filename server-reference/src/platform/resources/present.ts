import type { Agent, Automation, File, RunSnapshot, Template } from '@hookproof/spec';

import { folderPathOf } from '../automations/folders.ts';
import type { AgentRecord, AutomationRecord, TemplateRecord } from '../state/automations.ts';
import type { FileRecord } from '../state/files.ts';
import { valueOf } from '../state/large-value.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { RunRecord } from '../state/runs.ts';
import type { ReadonlyState } from '../state/state.ts';

/** Returns an automation as the API shows it, with the path of its folder. */
export function presentAutomation(
  state: ReadonlyState,
  automation: DeepReadonly<AutomationRecord>,
): Automation {
  const { tenantId: _tenantId, versions: _versions, ...fields } = automation;
  return { ...fields, folderPath: folderPathOf(state, automation.folderId) };
}

/** Returns a run as the API shows it, with its output if it has one. */
export function runSnapshot(run: DeepReadonly<RunRecord>): RunSnapshot {
  const snapshot = runWithoutOutput(run);
  return run.output === undefined ? snapshot : { ...snapshot, output: valueOf(run.output) };
}

/** Returns a run as lists show it. */
export function runWithoutOutput(run: DeepReadonly<RunRecord>): Omit<RunSnapshot, 'output'> {
  return {
    id: run.id,
    automationId: run.automationId,
    type: run.type,
    status: run.status,
    triggerType: run.triggerType,
    createdAt: run.createdAt,
    startedAt: run.startedAt,
    completedAt: run.completedAt,
  };
}

/** Returns a file as the API shows it. A durable file has no purpose. */
export function presentFile(file: DeepReadonly<FileRecord>): File {
  const { id, filename, contentType, size, createdAt, purpose } = file;
  return { id, filename, contentType, size, createdAt, ...(purpose === null ? {} : { purpose }) };
}

/** Returns an agent as the list shows it, with the current number of its dataset examples. */
export function presentAgent(
  { datasets }: Pick<ReadonlyState, 'datasets'>,
  { tenantId: _tenantId, archived: _archived, stats, ...agent }: DeepReadonly<AgentRecord>,
): Agent {
  return { ...agent, stats: { ...stats, exampleCount: datasets.of(agent.id).length } };
}

/** Returns a template as the list shows it. */
export function presentTemplate({
  tenantId: _tenantId,
  ...template
}: DeepReadonly<TemplateRecord>): DeepReadonly<Template> {
  return template;
}
