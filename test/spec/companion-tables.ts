import { EVALUATION_TABLES } from './evaluation-tables.ts';

export const COUNTER = 'integer 0..9007199254740991';
export const MAYBE = 'string|null';

/** Schemas of the companion operations. */
export const COMPANION_TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...EVALUATION_TABLES,
  AutomationList: {
    'data!': 'Automation[]',
    'total!': 'integer',
    'limit!': 'integer',
    'offset!': 'integer',
  },
  RunReviewOrNull: { 'review!': 'RunReview|null' },
  FileUploadForm: { 'file!': 'string', purpose: 'string' },
  FileUploadStart: {
    'filename!': 'string 1+',
    'contentType!': 'string 1+',
    'size!': COUNTER,
    sha256: 'string /^[0-9a-f]{64}$/',
    purpose: MAYBE,
    idempotencyKey: 'string 1+',
  },
  PresignedUpload: {
    'transport!': 'presigned-put',
    'maxFileSizeBytes!': 'integer',
    'uploadId!': 'string',
    'fileId!': 'string',
    'url!': 'string',
    'uploadUrl!': 'string',
    'method!': 'PUT',
    'headers!': 'object',
    'expiresAt!': 'string',
  },
  MultipartUpload: {
    'transport!': 'multipart',
    'maxFileSizeBytes!': 'integer',
    'url!': 'string',
  },
  WrittenRunReview: { 'review!': 'RunReview' },
  RunReviewWrite: {
    verdict: 'correct/incorrect/',
    status: 'open/closed/wont_fix',
    note: MAYBE,
    correctedOutput: 'any',
    corrections: 'ReviewCorrectionWrite[]',
  },
  ReviewCorrectionWrite: {
    id: 'string',
    'kind!': 'field/file',
    'path!': 'string 1+',
    label: MAYBE,
    note: MAYBE,
    originalValue: 'any',
    correctedValue: 'any',
    correctedArtifactPath: MAYBE,
  },
  CorrectedFileList: { 'files!': 'CorrectedFile[]', 'data!': 'CorrectedFile[]' },
  CorrectedFile: { 'name!': 'string', 'contentType!': 'string', 'size!': 'integer' },
  RunPromotion: { name: 'string 1+' },
  PromotedRun: {
    'automationId!': 'string',
    'automationType!': 'AutomationType',
    'exampleId!': 'string',
    'name!': MAYBE,
  },
  CorrectedFileForm: { 'file!': 'string', name: 'string' },
  CorrectedFileName: { 'name!': 'string' },
};
