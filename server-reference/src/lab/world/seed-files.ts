import type { FileId, UploadId } from '../../store/ids.ts';
import { findAsset } from './assets.ts';
import { SEED_DATA } from './seed-data.ts';
import { idOf } from './seeding.ts';
import type { Ids, SeededTenant, Seeding } from './seeding.ts';

/** Of temporary files and of uploads that are not completed. */
const HOURS_TO_LIVE = 24;

/** Adds the reusable and temporary files of a tenant; returns their ids by file name. */
export function seedFiles(seeding: Seeding, tenant: SeededTenant): Ids<FileId> {
  return new Map(
    SEED_DATA.files.files.map(({ filename, asset, purpose, createdHoursAgo }) => {
      const id = seeding.id('file_');
      const { contentType, size, sha256 } = findAsset(asset);
      seeding.state.files.add({
        id,
        tenantId: tenant.id,
        filename,
        contentType,
        size,
        sha256,
        purpose: purpose ?? null,
        createdAt: seeding.hoursAgo(createdHoursAgo),
        expiresAt: purpose === undefined ? null : seeding.hoursAgo(createdHoursAgo - HOURS_TO_LIVE),
      });
      return [filename, id];
    }),
  );
}

/** Adds the uploads of a tenant; returns their ids by file name. */
export function seedUploads(
  seeding: Seeding,
  tenant: SeededTenant,
  fileIds: Ids<FileId>,
): Ids<UploadId> {
  return new Map(
    SEED_DATA.files.uploads.map((upload) => {
      const { filename, purpose, createdHoursAgo, completedAs } = upload;
      const id = seeding.id('upload_');
      const declared = findAsset(upload.declared);
      const arrived = upload.arrived === undefined ? null : findAsset(upload.arrived);
      seeding.state.uploads.add({
        id,
        tenantId: tenant.id,
        filename,
        contentType: declared.contentType,
        purpose: purpose ?? null,
        declared: { size: declared.size, sha256: declared.sha256 },
        object: arrived === null ? null : { size: arrived.size, sha256: arrived.sha256 },
        createdAt: seeding.hoursAgo(createdHoursAgo),
        expiresAt: seeding.hoursAgo(createdHoursAgo - HOURS_TO_LIVE),
        fileId: completedAs === undefined ? seeding.id('file_') : idOf(fileIds, completedAs),
        completedAt: completedAs === undefined ? null : seeding.hoursAgo(createdHoursAgo),
        idempotencyKey: null,
      });
      return [filename, id];
    }),
  );
}
