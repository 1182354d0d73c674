import { FILE_PLANS, UPLOAD_PLANS } from './file-plans.ts';
import type { SeededTenant } from './seed-tenant.ts';
import type { Seeding } from './seeding.ts';

/** Of temporary files, and of uploads under way. */
const HOURS_TO_LIVE = 24;

/** Adds the reusable and temporary files of a tenant; returns their ids by file name. */
export function seedFiles(seeding: Seeding, tenant: SeededTenant): Map<string, string> {
  return new Map(
    FILE_PLANS.map(({ filename, asset, purpose, hoursAgo }) => {
      const id = seeding.id('file_');
      const { contentType, size, sha256 } = asset;
      seeding.state.files[id] = {
        id,
        tenantId: tenant.id,
        filename,
        contentType,
        size,
        sha256,
        purpose: purpose ?? null,
        createdAt: seeding.hoursAgo(hoursAgo),
        expiresAt: purpose === undefined ? null : seeding.hoursAgo(hoursAgo - HOURS_TO_LIVE),
      };
      return [filename, id];
    }),
  );
}

/** Adds the uploads of a tenant; returns their ids by file name. */
export function seedUploads(
  seeding: Seeding,
  tenant: SeededTenant,
  fileIds: ReadonlyMap<string, string>,
): Map<string, string> {
  return new Map(
    UPLOAD_PLANS.map(({ filename, declared, arrived, purpose, becameFile }) => {
      const id = seeding.id('upload_');
      const hoursAgo = becameFile === undefined ? 0 : 1.1;
      seeding.state.uploads[id] = {
        id,
        tenantId: tenant.id,
        filename,
        contentType: declared.contentType,
        purpose: purpose ?? null,
        declared: { size: declared.size, sha256: declared.sha256 },
        object: arrived === undefined ? null : { size: arrived.size, sha256: arrived.sha256 },
        createdAt: seeding.hoursAgo(hoursAgo),
        expiresAt: seeding.hoursAgo(hoursAgo - HOURS_TO_LIVE),
        fileId: fileIds.get(becameFile ?? '') ?? null,
      };
      return [filename, id];
    }),
  );
}
