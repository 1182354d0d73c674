// Generated from server-reference/world/schema.json by `npm run generate`. Do not edit.

/**
 * Hours before the world is created.
 */
export type HoursAgo = number;
/**
 * Path of a file below `assets`.
 */
export type AssetName = string;

/**
 * The data of a seeded world. Each property is the content of the JSON file with the same name.
 */
export interface SeedData {
  tenants: SeedTenants;
  automations: SeedAutomations;
  templates: SeedTemplates;
  /**
   * By the slug of the automation.
   */
  datasets: {
    [k: string]: SeedDataset;
  };
  experiments: SeedExperiment[];
  reviews: SeedReview[];
  files: SeedFiles;
  runs: SeedRuns;
}
export interface SeedTenants {
  tenant: SeedTenant;
  otherTenant: SeedTenant;
  /**
   * The API keys of the world; `otherTenant` belongs to the other tenant.
   */
  keys: {
    wildcard: SeedApiKey;
    reviewer: SeedApiKey;
    ocr: SeedApiKey;
    workflow: SeedApiKey;
    revoked: SeedApiKey;
    otherTenant: SeedApiKey;
  };
}
export interface SeedTenant {
  name: string;
  /**
   * Name of the person whom API keys act for.
   */
  user: string;
  /**
   * Name of the person who decides reviews.
   */
  reviewer: string;
}
export interface SeedApiKey {
  name: string;
  /**
   * An empty scope covers every capability.
   */
  scope: string[];
  revokedHoursAgo?: HoursAgo;
}
export interface SeedAutomations {
  /**
   * Paths, each after its parent.
   */
  folders: string[];
  workflows: SeedWorkflow[];
  agents: SeedAgent[];
}
export interface SeedWorkflow {
  slug: string;
  name: string;
  description: string;
  version: string;
  /**
   * Newest first. Default: none.
   */
  earlierVersions?: SeedVersion[];
  inputFields: Fields;
  outputFields: Fields;
  /**
   * Path of the folder. Default: no folder.
   */
  folder?: string;
  triggers: ("api" | "email" | "manual" | "cron")[];
  /**
   * The registry lists the workflow, but its implementation is gone.
   */
  implementationMissing?: true;
  createdHoursAgo: HoursAgo;
  updatedHoursAgo: HoursAgo;
}
/**
 * A version before the current one.
 */
export interface SeedVersion {
  version: string;
  createdHoursAgo: HoursAgo;
}
/**
 * JSON types by field name.
 */
export interface Fields {
  [k: string]: "array" | "integer" | "number" | "object" | "string";
}
export interface SeedAgent {
  slug: string;
  name: string;
  description: string;
  version: string;
  /**
   * Newest first. Default: none.
   */
  earlierVersions?: SeedVersion[];
  inputFields: Fields;
  outputFields: Fields;
  tools: string[];
  /**
   * Default: in use.
   */
  archived?: true;
  executions: number;
  /**
   * Default: 0.
   */
  averageDurationMs?: number;
  /**
   * Default: 0.
   */
  averageCredits?: number;
  lastExecutionHoursAgo?: HoursAgo;
  createdHoursAgo: HoursAgo;
  updatedHoursAgo: HoursAgo;
}
export interface SeedTemplates {
  formats: {
    docx: SeedTemplateFormat;
    xlsx: SeedTemplateFormat;
  };
  templates: SeedTemplate[];
}
export interface SeedTemplateFormat {
  mimeType: string;
  capabilities: string[];
}
export interface SeedTemplate {
  name: string;
  filename: string;
  format: "docx" | "xlsx";
  description: string;
  /**
   * Dotted paths of the variables; the first is required.
   */
  tokens: string[];
  /**
   * Bytes.
   */
  size: number;
  revision: number;
  createdHoursAgo: HoursAgo;
  updatedHoursAgo: HoursAgo;
}
export interface SeedDataset {
  /**
   * What a review of the examples asks for.
   */
  focusFields: {
    path: string;
    reason?: string;
  }[];
  ignoredFields: string[];
  evaluators?: SeedEvaluators;
  examples: SeedExample[];
}
/**
 * The evaluators of the automation. Default: none.
 */
export interface SeedEvaluators {
  evaluators: {
    name: string;
    type: "exact_match" | "field_match" | "judge";
    path?: string;
    weight: number;
    passThreshold: number;
    description?: string;
  }[];
  passThreshold: number;
}
export interface SeedExample {
  name: string;
  createdHoursAgo: HoursAgo;
  input: FilesByPath;
  expected: FilesByPath;
  /**
   * What a reviewer sees as the input.
   */
  inputJson: {
    [k: string]: unknown;
  };
  /**
   * What a reviewer sees as the expected output.
   */
  expectedJson: {
    [k: string]: unknown;
  };
  /**
   * The one change that a reviewer makes to `expectedJson`.
   */
  correction: {
    /**
     * Dotted path of the field.
     */
    path: string;
    value: unknown;
  };
}
/**
 * Assets by the path under which the platform shows them.
 */
export interface FilesByPath {
  [k: string]: AssetName;
}
export interface SeedExperiment {
  name: string;
  /**
   * Slug of the automation.
   */
  automation: string;
  createdHoursAgo: HoursAgo;
}
/**
 * A review request.
 */
export interface SeedReview {
  title: string;
  instructions?: string;
  /**
   * Slug of the automation.
   */
  automation: string;
  status: "draft" | "open" | "paused" | "closed";
  /**
   * Default: the user of the tenant created it.
   */
  createdBySystem?: true;
  /**
   * Default: only the first tenant has it.
   */
  inBothTenants?: true;
  createdHoursAgo: HoursAgo;
  /**
   * Status by the name of the example, in the order of the request.
   */
  items: {
    [k: string]: "pending" | "approved" | "edited" | "removed";
  };
  /**
   * Name of the example whose input has changed since the request was created.
   */
  driftedExample?: string;
}
export interface SeedFiles {
  files: SeedFile[];
  uploads: SeedUpload[];
}
export interface SeedFile {
  filename: string;
  asset: AssetName;
  /**
   * Default: none, a durable file.
   */
  purpose?: "run-input" | "builder-attachment";
  createdHoursAgo: HoursAgo;
}
export interface SeedUpload {
  filename: string;
  /**
   * Default: none, a durable file.
   */
  purpose?: "run-input";
  /**
   * Path of a file below `assets`.
   */
  declared: string;
  /**
   * Path of a file below `assets`.
   */
  arrived?: string;
  /**
   * Name of the file that the completed upload became. Default: not completed.
   */
  completedAs?: string;
  createdHoursAgo: HoursAgo;
}
export interface SeedRuns {
  tenant: SeedRun[];
  otherTenant: SeedRun[];
}
export interface SeedRun {
  /**
   * How the fixtures refer to the run.
   */
  name?: string;
  /**
   * Slug of the automation.
   */
  automation: string;
  trigger: "api" | "email" | "manual" | "cron";
  origin: "top-level" | "invoke-workflow" | "evaluation";
  /**
   * Names of the example and the experiment of an evaluation run.
   */
  evaluates?: {
    example: string;
    experiment: string;
  };
  createdHoursAgo: HoursAgo;
  /**
   * Every status so far, oldest first.
   *
   * @minItems 1
   */
  statuses: (
    "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected"
  )[];
  input?: unknown;
  output?: unknown;
  files?: FilesByPath;
  review?: SeedRunReview;
}
export interface SeedRunReview {
  verdict: "correct" | "incorrect";
  note: string;
  /**
   * Default: the review is open.
   */
  closedNote?: string;
  corrections: SeedCorrection[];
  correctedOutput?: unknown;
  correctedFiles: FilesByPath;
}
export interface SeedCorrection {
  kind: "field" | "file";
  path: string;
  label: string;
  original?: unknown;
  corrected?: unknown;
  /**
   * Path of the corrected file.
   */
  correctedFile?: string;
}
