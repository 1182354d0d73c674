import { hash } from 'node:crypto';

import type {
  AgentContents,
  ExampleContents,
  ExperimentContents,
  ReviewRequestContents,
  RunContents,
  TemplateContents,
  WorkflowContents,
  WorldContents,
} from '@hookproof/spec/control';

import { addFreeExample } from '../../api/datasets/examples.ts';
import { isoTime } from '../../clock/clock.ts';
import { invalidValue } from '../../errors.ts';
import { noUsage } from '../../events/run-change.ts';
import { impliesStart, isTerminal } from '../../events/run-transitions.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { ExampleRecord, ReviewItemRecord } from '../../store/datasets.ts';
import type { FolderId, ReviewRequestId, TenantId, UserId, WorldId } from '../../store/ids.ts';
import type { RunStatus } from '../../store/runs.ts';
import { nextId } from '../../store/seed.ts';
import type { State } from '../../store/state.ts';
import type { UserRecord } from '../../store/tenants.ts';
import type { WorldRecord } from '../../store/world.ts';

/** The tenant that is filled, the user whom its API keys act for, and the user who decides reviews. */
interface FilledTenant {
  readonly id: TenantId;
  readonly worldId: WorldId;
  readonly userId: UserId;
  readonly reviewer: UserRecord;
}

/** The lists whose entries name an automation. */
type Owned = 'examples' | 'reviewRequests' | 'experiments' | 'runs';

const MINUTE = 60_000;

/** The statuses of a run up to each one. */
const STEPS: Readonly<Record<RunStatus, readonly RunStatus[]>> = {
  created: ['created'],
  pending: ['pending'],
  running: ['pending', 'running'],
  waiting: ['pending', 'running', 'waiting'],
  finalizing: ['pending', 'running', 'finalizing'],
  completed: ['pending', 'running', 'finalizing', 'completed'],
  failed: ['pending', 'running', 'failed'],
  cancelled: ['pending', 'cancelled'],
  rejected: ['pending', 'rejected'],
};

/**
 * Fills a tenant with the contents that a caller gives.
 *
 * @returns the first of each kind, as fixtures
 * @throws {ApiError} `invalid_value` with the path of the entry, such as `world.runs[2].automation`
 */
export function seedContents(
  state: State,
  tenant: FilledTenant,
  now: number,
  contents: WorldContents,
): WorldRecord['fixtures'] {
  return new ContentsSeed(state, tenant, now).fill(contents);
}

class ContentsSeed {
  readonly #state: State;
  readonly #tenant: FilledTenant;
  readonly #now: number;
  readonly #folders = new Map<string, FolderId>();
  /** By slug, in the order in which they were added. */
  readonly #automations = new Map<string, AutomationRecord>();
  /** By the id of the automation and the name. */
  readonly #examples = new Map<string, ExampleRecord>();
  readonly #fixtures: Record<string, string> = {};

  constructor(state: State, tenant: FilledTenant, now: number) {
    this.#state = state;
    this.#tenant = tenant;
    this.#now = now;
  }

  fill(contents: WorldContents): WorldRecord['fixtures'] {
    for (const [path, index] of entriesOf(contents.folders, (number) => `Folder ${number}`)) {
      this.#addFolder(path, `world.folders[${index}]`);
    }
    for (const [entry, index] of entriesOf(contents.workflows)) this.#addWorkflow(entry, index);
    for (const [entry, index] of entriesOf(contents.agents)) this.#addAgent(entry, index);
    for (const [entry, index] of entriesOf(contents.templates)) this.#addTemplate(entry, index);
    for (const [entry, index] of entriesOf(contents.examples)) this.#addExample(entry, index);
    for (const [entry, index] of entriesOf(contents.reviewRequests)) {
      this.#addReviewRequest(entry, index);
    }
    for (const [entry, index] of entriesOf(contents.experiments)) this.#addExperiment(entry, index);
    for (const [entry, index] of entriesOf(contents.runs)) this.#addRun(entry, index);
    return this.#fixtures;
  }

  /** Names the first record of a kind. */
  #first(name: keyof WorldRecord['fixtures'], value: string): void {
    this.#fixtures[name] ??= value;
  }

  #createdAt({ createdAt }: { readonly createdAt?: string }, index: number): string {
    return createdAt ?? isoTime(this.#now - (index + 1) * MINUTE);
  }

  #addFolder(path: string, field: string): FolderId {
    const names = path.split('/');
    if (names.includes(''))
      throw invalidValue(field, 'must not have an empty name between slashes');
    let parentId: FolderId | null = null;
    for (const [depth, name] of names.entries()) {
      const place = names.slice(0, depth + 1).join('/');
      const known = this.#folders.get(place);
      const id = known ?? nextId(this.#state, 'folder_');
      if (known === undefined) {
        this.#state.folders.add({ id, tenantId: this.#tenant.id, parentId, name });
        this.#folders.set(place, id);
        this.#first('folderId', id);
      }
      parentId = id;
    }
    return parentId ?? nextId(this.#state, 'folder_');
  }

  #addAutomation(
    record: Omit<AutomationRecord, 'tenantId' | 'updatedAt' | 'versions'>,
    field: string,
    commit: string | null,
  ): AutomationRecord {
    const { slug, version, createdAt } = record;
    if (this.#automations.has(slug)) {
      throw invalidValue(`${field}.slug`, `must be unique in the world, got ${slug} again`);
    }
    const sourceRef = commit === null ? null : 'main';
    const added: AutomationRecord = {
      ...record,
      tenantId: this.#tenant.id,
      updatedAt: createdAt,
      versions: [{ id: nextId(this.#state, 'ver_'), version, sourceRef, commit, createdAt }],
    };
    this.#state.automations.add(added);
    this.#automations.set(slug, added);
    return added;
  }

  #addWorkflow(entry: WorkflowContents, index: number): AutomationRecord {
    const { slug = `workflow-${index + 1}`, folderPath } = entry;
    const field = `world.workflows[${index}]`;
    const workflow = this.#addAutomation(
      {
        id: nextId(this.#state, 'wf_'),
        type: 'workflow',
        slug,
        name: entry.name ?? nameOf(slug),
        description: entry.description ?? '',
        status: 'active',
        version: entry.version ?? '1',
        folderId:
          folderPath === undefined ? null : this.#addFolder(folderPath, `${field}.folderPath`),
        triggers: { api: true, email: false, manual: true, cron: false, ...entry.triggers },
        inputSchema: entry.inputSchema ?? { type: 'object' },
        outputSchema: entry.outputSchema ?? { type: 'object' },
        implementationAvailable: entry.implementationAvailable ?? true,
        createdAt: this.#createdAt(entry, index),
      },
      field,
      null,
    );
    this.#first('workflowId', workflow.id);
    this.#first('workflowSlug', slug);
    return workflow;
  }

  #addAgent(entry: AgentContents, index: number): void {
    const { slug = `agent-${index + 1}`, archived = false, version = '1' } = entry;
    const state = this.#state;
    const latestCommit = nextId(state, '').slice(0, 12);
    const agent = this.#addAutomation(
      {
        id: nextId(state, 'agent_'),
        type: 'agent',
        slug,
        name: entry.name ?? nameOf(slug),
        description: entry.description ?? '',
        status: archived ? 'archived' : 'active',
        version,
        folderId: null,
        triggers: { api: true, email: true, manual: true, cron: false },
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
        implementationAvailable: true,
        createdAt: this.#createdAt(entry, index),
      },
      `world.agents[${index}]`,
      latestCommit,
    );
    const { name, description, createdAt, updatedAt, tenantId } = agent;
    state.agents.add({
      id: agent.id,
      tenantId,
      slug,
      name,
      description,
      latestVersion: version,
      latestCommit,
      config: { model: 'house-model', maxTurns: 12, tools: [] },
      stats: { exampleCount: 0, totalExecutions: 0, avgDurationMs: 0, avgCredits: 0 },
      archived,
      createdAt,
      updatedAt,
    });
    this.#first('agentId', agent.id);
    this.#first('agentSlug', slug);
  }

  #addTemplate(entry: TemplateContents, index: number): void {
    const { name = `Template ${index + 1}`, format = 'docx' } = entry;
    const state = this.#state;
    const createdAt = this.#createdAt(entry, index);
    // The API shows no template file, so the hash is of invented bytes.
    const sha256 = hash('sha256', name);
    const kind = format === 'docx' ? 'wordprocessingml.document' : 'spreadsheetml.sheet';
    const templateId = nextId(state, 'tmpl_');
    state.templates.add({
      id: templateId,
      tenantId: this.#tenant.id,
      name,
      filename: entry.filename ?? `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.${format}`,
      format,
      mimeType: `application/vnd.openxmlformats-officedocument.${kind}`,
      tokens: [],
      grammar: { syntax: '{{token}}', tokenDiscovery: true, capabilities: ['variables'] },
      description: entry.description ?? '',
      size: 18_000,
      sha256,
      currentRevision: { id: nextId(state, 'rev_'), number: 1, sha256, createdAt },
      createdAt,
      updatedAt: createdAt,
    });
    this.#first('templateId', templateId);
  }

  /** Returns the automation that an entry names, or the first one, which is made if there is none. */
  #ownerOf(list: Owned, index: number, slug: string | undefined): AutomationRecord {
    const [first] = this.#automations.values();
    if (slug === undefined) return first ?? this.#addWorkflow({}, 0);
    const owner = this.#automations.get(slug);
    if (owner !== undefined) return owner;
    const known = [...this.#automations.keys()].slice(0, 10).join(', ') || 'none';
    const message = `must be the slug of an automation of this world (${known}), got ${slug}`;
    throw invalidValue(`world.${list}[${index}].automation`, message);
  }

  #addExample(entry: ExampleContents, index: number): void {
    const { id: automationId, slug } = this.#ownerOf('examples', index, entry.automation);
    const { name = `example-${index + 1}`, expectedJson = null } = entry;
    const key = `${automationId} ${name.toLowerCase()}`;
    if (this.#examples.has(key)) {
      const message = `must be unique in the dataset, whatever its case, got ${name} again`;
      throw invalidValue(`world.examples[${index}].name`, message);
    }
    const state = this.#state;
    const example = addFreeExample(state, {
      tenantId: this.#tenant.id,
      automationId,
      name,
      createdAt: this.#createdAt(entry, index),
      input: [],
      expected: [],
      inputJson: entry.inputJson ?? { number: index + 1 },
      expectedJson,
    });
    if (state.agents.has(automationId)) {
      const { stats } = state.agents.edit(automationId);
      stats.exampleCount = (stats.exampleCount ?? 0) + 1;
    }
    this.#examples.set(key, example);
    this.#first('datasetAutomationId', automationId);
    this.#first('datasetAutomationSlug', slug);
    this.#first('exampleId', example.id);
    this.#first('exampleName', name);
  }

  #addReviewRequest(entry: ReviewRequestContents, index: number): void {
    const { id: automationId } = this.#ownerOf('reviewRequests', index, entry.automation);
    const { title = `Review request ${index + 1}`, status = 'open', items = [] } = entry;
    const state = this.#state;
    const { id: tenantId, userId } = this.#tenant;
    const id = nextId(state, 'review_');
    const createdAt = this.#createdAt(entry, index);
    state.reviewRequests.add({
      id,
      tenantId,
      automationId,
      title,
      instructions: entry.instructions ?? null,
      focusFields: [],
      ignoredFields: [],
      status,
      createdBy: userId,
      createdAt,
      closedAt: status === 'closed' ? createdAt : null,
      items: items.map(({ exampleName, status: decision = 'pending' }, number) => {
        const example = this.#examples.get(`${automationId} ${exampleName.toLowerCase()}`);
        if (example !== undefined) return this.#reviewItem(id, example, decision, createdAt);
        const message = `must be the name of an example of its automation, got ${exampleName}`;
        const field = `world.reviewRequests[${index}].items[${number}].exampleName`;
        throw invalidValue(field, message);
      }),
      events: [
        {
          id: nextId(state, 'revent_'),
          reviewId: id,
          itemId: '',
          actorUserId: userId,
          action: 'created',
          diffSummary: null,
          createdAt,
        },
      ],
    });
    this.#first('reviewAutomationId', automationId);
    this.#first(`${status}ReviewId`, id);
  }

  #reviewItem(
    reviewId: ReviewRequestId,
    { name, inputJson, expectedJson }: ExampleRecord,
    status: ReviewItemRecord['status'],
    updatedAt: string,
  ): ReviewItemRecord {
    return {
      id: nextId(this.#state, 'ritem_'),
      reviewId,
      exampleName: name,
      snapshotInputJson: inputJson ?? {},
      snapshotExpectedJson: expectedJson,
      snapshotManifest: { expectedFiles: [], metadata: { files: 0 }, inputFileHashes: [] },
      status,
      currentExpectedJson: expectedJson,
      fieldDecisions: {},
      updatedBy: status === 'pending' ? this.#tenant.userId : this.#tenant.reviewer.id,
      updatedAt,
    };
  }

  #addExperiment(entry: ExperimentContents, index: number): void {
    const { id: automationId, version } = this.#ownerOf('experiments', index, entry.automation);
    const createdAt = this.#createdAt(entry, index);
    const id = nextId(this.#state, 'exp_');
    this.#state.experiments.add({
      id,
      tenantId: this.#tenant.id,
      automationId,
      name: entry.name ?? `Experiment ${index + 1}`,
      createdAt,
      version,
      startedAt: createdAt,
      completedAt: createdAt,
      runCount: 0,
      completedCount: 0,
      passedCount: 0,
      failedCount: 0,
      scores: { sum: 0, count: 0 },
    });
    this.#first('experimentId', id);
    this.#first('experimentAutomationId', automationId);
  }

  #addRun(entry: RunContents, index: number): void {
    const { id: automationId, type } = this.#ownerOf('runs', index, entry.automation);
    const { status = 'completed', triggerType = 'api', input = {}, output = {} } = entry;
    const createdAt = this.#createdAt(entry, index);
    const history = STEPS[status].map((step) => ({ status: step, at: createdAt }));
    const id = nextId(this.#state, 'exec_');
    this.#state.runs.add({
      id,
      worldId: this.#tenant.worldId,
      tenantId: this.#tenant.id,
      automationId,
      type,
      status,
      triggerType,
      createdAt,
      startedAt: history.some((step) => impliesStart(step.status)) ? createdAt : null,
      completedAt: isTerminal(status) ? createdAt : null,
      input,
      ...(status === 'completed' ? { output } : {}),
      origin: 'top-level',
      outputFiles: [],
      usage: noUsage(),
      scheduledTransitions: [],
      history,
      startedBy: this.#tenant.userId,
    });
    if (status === 'completed') this.#first('runId', id);
  }
}

/** Returns the entries of a list with their places. A number stands for as many entries with defaults. */
function entriesOf<T extends object>(list: number | readonly T[] | undefined): [T, number][];
function entriesOf(
  list: number | readonly string[] | undefined,
  entry: (number: number) => string,
): [string, number][];
function entriesOf(
  list: number | readonly unknown[] = [],
  entry: (number: number) => unknown = () => ({}),
): [unknown, number][] {
  const entries =
    typeof list === 'number' ? Array.from({ length: list }, (_, index) => entry(index + 1)) : list;
  return entries.map((one, index) => [one, index]);
}

function nameOf(slug: string): string {
  const text = slug.replaceAll('-', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
