import type { FileId, TenantId, UploadId } from './ids.ts';

/** A reusable or temporary file. */
export interface FileRecord {
  id: FileId;
  tenantId: TenantId;
  filename: string;
  contentType: string;
  /** Bytes. */
  size: number;
  /** Of the bytes, in lower-case hex: what they lie under. */
  sha256: string;
  /** `run-input` and `builder-attachment` are temporary; null is durable. */
  purpose: string | null;
  createdAt: string;
  /** When a temporary file is reaped; null for a durable one. */
  expiresAt: string | null;
}

/** A file on its way: declared, sent straight to storage, and then completed. */
export interface UploadRecord {
  id: UploadId;
  tenantId: TenantId;
  filename: string;
  contentType: string;
  purpose: string | null;
  /** What was declared; the hash only when the caller gave one. */
  declared: { size: number; sha256: string | null };
  /** What has arrived in storage, or null. */
  object: { size: number; sha256: string } | null;
  createdAt: string;
  /** Until when bytes may be sent and the upload completed. */
  expiresAt: string;
  /** The file that completion made of it, or null. */
  fileId: FileId | null;
}
