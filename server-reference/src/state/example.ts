import type { StoredFile } from './stored-file.ts';

/** One example of an automation's dataset. No two of a dataset have the same name. */
export interface ExampleRecord {
  /** `ex_…` */
  id: string;
  tenantId: string;
  automationId: string;
  /** One segment of a path: it becomes a folder of the export. */
  name: string;
  createdAt: string;
  /** What a run of the example starts from; ordered by path, no path twice. */
  input: StoredFile[];
  /** What it should lead to; ordered by path, no path twice. */
  expected: StoredFile[];
}
