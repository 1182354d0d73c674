import { Readable } from 'node:stream';

import type { Blobs } from '../../../platform/store/blobs.ts';
import { DATASET_PLANS } from '../dataset-plans.ts';
import { FILE_PLANS, UPLOAD_PLANS } from '../file-plans.ts';
import { OTHER_TENANT_RUN_PLANS, RUN_PLANS } from '../run-plans.ts';
import type { Asset } from './asset.ts';

const EXAMPLES = Object.values(DATASET_PLANS).flat();
const RUNS = [...RUN_PLANS, ...OTHER_TENANT_RUN_PLANS];

/** The bytes of every file that a seeded world names, by their hash. */
export const ASSETS: ReadonlyMap<string, Asset> = new Map(
  [
    ...EXAMPLES.flatMap(({ input }) => Object.values(input)),
    ...EXAMPLES.flatMap(({ expected }) => Object.values(expected)),
    ...FILE_PLANS.map((plan) => plan.asset),
    ...UPLOAD_PLANS.flatMap(({ arrived }) => arrived ?? []),
    ...RUNS.flatMap(({ files }) => Object.values(files ?? {})),
    ...RUNS.flatMap(({ review }) => Object.values(review?.expectedFiles ?? {})),
  ].map((asset) => [asset.sha256, asset]),
);

/**
 * Sees to it that the bytes are there. Call it once at a start, before a world is made, and keep the bytes
 * out of every sweep: any later world names them again.
 */
export async function putAssets(blobs: Blobs): Promise<void> {
  await Promise.all(
    [...ASSETS.values()].map(async ({ bytes, size, sha256 }) => {
      if (await blobs.has(sha256)) return;
      await blobs.put(Readable.from([bytes]), size);
      blobs.release(sha256);
    }),
  );
}
