import type { Variant } from './mutant.ts';

const GET_CONTENT = 'server-reference/dist/platform/routes/files.js';
const COMPLETE = 'server-reference/dist/platform/routes/uploads.js';
const OPERATION = 'server-reference/dist/platform/routes/operation.js';
const THRESHOLD = 'if (redirectAboveBytes === null || file.size <= redirectAboveBytes) {';

/** Other choices for files, uploads and usage where the contract leaves them open. */
export const fileVariants: readonly Variant[] = [
  {
    id: 'files-never-redirected',
    freedom: 'Every download is streamed.',
    file: GET_CONTENT,
    find: THRESHOLD,
    replace: 'if (file.size >= 0) {',
    notApplicable: ['api.file-content.redirect', 'api.file-content.short-lived'],
  },
  {
    id: 'files-always-redirected',
    freedom: 'Every download is redirected.',
    file: GET_CONTENT,
    find: THRESHOLD,
    replace: 'if (file.size < 0) {',
    notApplicable: ['api.file-content.streamed'],
  },
  {
    id: 'storage-elsewhere',
    freedom: 'The storage has another URL.',
    file: GET_CONTENT,
    find: 'new Redirect(origin + ',
    replace: "new Redirect(origin.replace('127.0.0.1', 'localhost') + ",
    notApplicable: ['api.file-content.short-lived'],
  },
  {
    id: 'redirect-307',
    freedom: 'Redirects have the status 307.',
    file: OPERATION,
    find: 'ctx.status = 302;',
    replace: 'ctx.status = 307;',
  },
  {
    id: 'content-as-octets',
    freedom: 'Downloads are application/octet-stream.',
    file: 'server-reference/dist/platform/files/download-file.js',
    find: "'Content-Type': isMediaType(file.contentType) ? file.contentType : UNKNOWN_TYPE,",
    replace: "'Content-Type': 'application/octet-stream',",
  },
  {
    id: 'purpose-null',
    freedom: 'The purpose of a durable file is null.',
    file: 'server-reference/dist/platform/resources/present.js',
    find: '...(purpose === null ? {} : { purpose })',
    replace: 'purpose',
  },
  {
    id: 'reaped-half-an-hour-later',
    freedom: 'Temporary files are gone half an hour after their 24 hours.',
    file: 'server-reference/dist/lab/world/seed-files.js',
    find: 'HOURS_TO_LIVE = 24;',
    replace: 'HOURS_TO_LIVE = 24.5;',
  },
  {
    id: 'post-201',
    freedom: 'A POST gets 201.',
    file: OPERATION,
    find: 'ctx.status = successStatus;',
    replace: "ctx.status = ctx.method === 'POST' ? 201 : successStatus;",
  },
  {
    id: 'completion-refused-422',
    freedom: 'An upload that does not fit is refused with 422.',
    file: COMPLETE,
    find: 'new ApiError(409',
    replace: 'new ApiError(422',
  },
  {
    id: 'completion-in-progress-409',
    freedom: 'A completion gets 409 during another completion.',
    file: COMPLETE,
    find: 'return async function handle({ key: { tenantId }, path }) {',
    replace: `const busy = new Set();
    return async function handle(request) {
        const id = request.path['uploadId'];
        if (busy.has(id)) throw conflict('upload_incomplete', 'another completion is in progress');
        busy.add(id);
        try { return await work(request); } finally { busy.delete(id); }
    };
    async function work({ key: { tenantId }, path }) {`,
  },
  {
    id: 'usage-in-decimals',
    freedom: 'Calls and milliseconds are not integers.',
    file: 'server-reference/dist/platform/routes/runs.js',
    find: 'durationMs: durationOf(run, clock.now())',
    replace: 'durationMs: durationOf(run, clock.now()) + 0.25, llmCallCount: 2.5',
  },
];
