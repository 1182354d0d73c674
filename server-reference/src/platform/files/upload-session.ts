import { ApiError, issue, ROOT } from '../http/api-error.ts';
import { isOver } from '../resources/find.ts';
import type { UploadRecord } from '../state/files.ts';
import type { TenantId } from '../state/ids.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { uploadKey } from '../state/state.ts';
import type { ReadonlyState } from '../state/state.ts';
import { recordsOf } from '../state/table.ts';

/** How uploads are sent. A number is the largest size in bytes that is sent as a form. */
export type UploadTransport = 'presigned-put' | 'multipart' | number;

/** What the caller declares at the start of an upload. */
export type Declaration = Pick<
  UploadRecord,
  'filename' | 'contentType' | 'purpose' | 'declared' | 'idempotencyKey'
>;

/** Returns whether a file of this size is sent as a form, without a session. */
export function isSentAsForm(transport: UploadTransport, size: number): boolean {
  return typeof transport === 'number' ? size <= transport : transport === 'multipart';
}

/**
 * Returns the upload that a repeated start refers to: the one of the tenant with the same key. An aborted or
 * expired upload, and one whose file is deleted, leaves its key free.
 *
 * @throws {ApiError} 409 `idempotency_conflict` if that upload was declared differently
 */
export function findRepeated(
  state: ReadonlyState,
  tenantId: TenantId,
  declaration: DeepReadonly<Declaration>,
  nowMilliseconds: number,
): DeepReadonly<UploadRecord> | undefined {
  const { idempotencyKey } = declaration;
  if (idempotencyKey === null) return undefined;
  const ids = state.grouped.uploadsByKey.of(uploadKey(tenantId, idempotencyKey));
  const former = recordsOf(ids, state.uploads).find((one) => !isOver(state, one, nowMilliseconds));
  if (former !== undefined && !declaresSame(former, declaration)) {
    const message = 'is the key of an upload that was declared differently';
    throw new ApiError(409, [issue('idempotency_conflict', 'idempotencyKey', message)], {
      hint: 'Use a new key for each upload, and repeat a request unchanged.',
    });
  }
  return former;
}

function declaresSame(one: DeepReadonly<Declaration>, other: DeepReadonly<Declaration>): boolean {
  return (
    one.filename === other.filename &&
    one.contentType === other.contentType &&
    one.purpose === other.purpose &&
    one.declared.size === other.declared.size &&
    one.declared.sha256 === other.declared.sha256
  );
}

/**
 * Refuses bytes for a completed upload, unless they repeat what was sent: their size is compared.
 *
 * @throws {ApiError} 409 `upload_completed`
 */
export function refuseChange(upload: DeepReadonly<UploadRecord>, size: number): void {
  if (upload.completedAt === null || size === upload.declared.size) return;
  const message = 'the upload is completed, so its bytes cannot change';
  throw new ApiError(409, [issue('upload_completed', ROOT, message)], {
    hint: 'Start another upload with POST /v1/files/uploads.',
  });
}
