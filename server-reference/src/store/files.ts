import type { FileId, TenantId, UploadId } from './ids.ts';

/** A reusable or temporary file. */
export interface FileRecord {
  id: FileId;
  tenantId: TenantId;
  filename: string;
  contentType: string;
  /** Bytes. */
  size: number;
  /** The hash of the bytes, in lower-case hex; their key in the blobs. */
  sha256: string;
  /** `run-input` and `builder-attachment` are temporary; null is durable. */
  purpose: string | null;
  createdAt: string;
  /** When a temporary file expires; null for a durable file. */
  expiresAt: string | null;
}

/** An upload: the caller declares a file, sends its bytes to storage, and completes the upload. */
export interface UploadRecord {
  id: UploadId;
  tenantId: TenantId;
  filename: string;
  contentType: string;
  purpose: string | null;
  /** The declared size and optional hash. */
  declared: { size: number; sha256: string | null };
  /** The stored bytes, or null. */
  object: { size: number; sha256: string } | null;
  createdAt: string;
  /** The deadline to send the bytes and complete the upload. */
  expiresAt: string;
  /** The id of the file, which exists from the completion on. */
  fileId: FileId;
  /** Null before the completion. */
  completedAt: string | null;
  /** The key by which the caller repeats the start; null without one. */
  idempotencyKey: string | null;
}
