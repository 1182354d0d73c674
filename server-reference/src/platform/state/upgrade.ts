import type { AutomationId, FileId, UploadId, VersionId } from './ids.ts';
import type { Tables } from './state.ts';
import type { Table } from './table.ts';

type RecordOf<Name extends keyof Tables> = Tables[Name] extends Table<string, infer T> ? T : never;

/** A record of format 4: members can be missing or null. */
type Former<T> = { readonly [Member in keyof T]?: T[Member] | null };

type Upgrades = {
  readonly [Name in keyof Tables]?: (former: Former<RecordOf<Name>>) => Partial<RecordOf<Name>>;
};

/**
 * The members that records of format 4 lack. To add a member to a stored record, add it to its type, to
 * `shapes.ts` and to the object that the function of its table returns here: `runs: () => ({ steps: [] })`.
 */
const UPGRADES: Upgrades = {
  automations: ({ id, versions, version, updatedAt }) => ({
    versions: versions ?? [
      {
        id: versionIdOf(id),
        version: version ?? '',
        sourceRef: null,
        commit: null,
        createdAt: updatedAt ?? '',
      },
    ],
  }),
  examples: () => ({
    number: 0,
    inputJson: null,
    expectedJson: null,
    metadata: null,
    annotation: null,
    rowOrder: null,
    overrides: null,
    latestRunId: null,
    updatedAt: null,
  }),
  experiments: ({ createdAt }) => ({
    version: null,
    startedAt: createdAt ?? null,
    completedAt: createdAt ?? null,
    runCount: 0,
    completedCount: 0,
    passedCount: 0,
    failedCount: 0,
    scores: { sum: 0, count: 0 },
  }),
  // Format 4 let a verdict be any text.
  runReviews: ({ review = null }) => ({
    review:
      review === null
        ? null
        : { ...review, verdict: review.verdict === 'correct' ? 'correct' : 'incorrect' },
  }),
  uploads: ({ id, fileId, createdAt }) => ({
    fileId: fileId ?? fileIdOf(id),
    completedAt: fileId === null || createdAt === undefined ? null : createdAt,
    idempotencyKey: null,
  }),
};

/** The one version that an automation of format 4 had. */
function versionIdOf(id: AutomationId | null | undefined): VersionId {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- derived from another id
  return String(id).replace(/^[a-z]+_/, 'ver_') as VersionId;
}

/** An upload has had the id of its file from the start since format 5. */
function fileIdOf(id: UploadId | null | undefined): FileId {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- ids of uploads are drawn like those of files
  return String(id).replace('upload_', 'file_') as FileId;
}

/** Adds to a record of format 4 what a record of today has besides. */
export function upgradeRecord(name: keyof Tables, record: object): void {
  const upgrade: ((former: never) => object) | undefined = UPGRADES[name];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table names the kind of record
  if (upgrade !== undefined) Object.assign(record, upgrade(record as never));
}
