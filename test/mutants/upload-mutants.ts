import type { Mutant } from './mutant.ts';

const COMPLETE = 'server-reference/dist/platform/routes/uploads.js';
const HANDLE = 'async function handle({ key: { tenantId }, path }) {';
const AGAIN = 'return findFile(state, tenantId, fileId, now);';

/** How a pending upload becomes a file. */
export const uploadMutants: readonly Mutant[] = [
  {
    id: 'completion-wants-a-body',
    defect: 'A completion without a body is refused.',
    file: COMPLETE,
    find: HANDLE,
    replace: `async function handle({ key: { tenantId }, path, incoming }) {
        if (!(Number(incoming.headers['content-length'] ?? 0) > 0)) throw conflict('upload_incomplete', 'no body');`,
    fails: ['api.upload-complete.no-request-body'],
  },
  {
    id: 'completion-without-created-at',
    defect: 'The file in the response to a completion has no createdAt.',
    file: COMPLETE,
    find: 'presentFile(promote(state, read(state), now))',
    replace: '({ ...presentFile(promote(state, read(state), now)), createdAt: undefined })',
    fails: ['api.upload-complete.response'],
  },
  {
    id: 'completion-promotes-other-bytes',
    defect: 'The file of a completed upload has the bytes of another file.',
    file: COMPLETE,
    find: 'addFile(state, now, upload, object)',
    replace: 'addFile(state, now, upload, Object.values(state.files)[0])',
    fails: ['api.upload-complete.promotes'],
  },
  {
    id: 'completion-promotes-nothing',
    defect: 'A completion names a file that is not there.',
    file: COMPLETE,
    find: 'const file = addFile(state, now, upload, object);',
    replace:
      'const file = addFile(state, now, upload, object);\n    delete state.files[file.id];\n    return file;',
    fails: [
      'api.upload-complete.promotes',
      'api.upload-complete.retry-safe',
      'api.upload-complete.simultaneous',
    ],
  },
  {
    id: 'completion-of-nothing',
    defect: 'An upload without content is completed as an empty file.',
    file: COMPLETE,
    find: 'if (object === null)\n        throw incomplete();',
    replace:
      'if (object === null)\n        return addFile(state, now, upload, Object.values(state.files)[0]);',
    fails: ['api.upload-complete.refuses-empty'],
  },
  {
    id: 'completion-unverified',
    defect: 'The content of an upload is not compared with the declared size and hash.',
    file: COMPLETE,
    find: "const hint = 'Send",
    replace:
      "if (object.size !== declared.size)\n        return addFile(state, now, upload, object);\n    const hint = 'Send",
    fails: ['api.upload-complete.refuses-mismatched'],
  },
  {
    id: 'completion-makes-another-file',
    defect: 'Each completion of an upload makes a file.',
    file: COMPLETE,
    find: AGAIN,
    replace: 'return addFile(state, now, upload, object);',
    fails: ['api.upload-complete.retry-safe', 'api.upload-complete.simultaneous'],
  },
  {
    id: 'completion-only-once',
    defect: 'A second completion of an upload is refused.',
    file: COMPLETE,
    find: AGAIN,
    replace: "throw conflict('upload_incomplete', 'it was completed before');",
    fails: ['api.upload-complete.retry-safe'],
  },
  {
    id: 'unknown-upload-400',
    defect: 'The completion of an unknown upload gets 400.',
    file: 'server-reference/dist/platform/resources/find.js',
    find: "throw notFound('uploadId', 'no upload has this id');",
    replace: "throw Object.assign(notFound('uploadId', 'no upload has this id'), { status: 400 });",
    fails: ['api.upload-complete.unknown'],
  },
  {
    id: 'foreign-upload-completed',
    defect: 'A key of another tenant can complete an upload.',
    file: COMPLETE,
    find: '(found) => found.tenantId === tenantId',
    replace: '() => true',
    fails: ['api.tenant.foreign-upload-refused'],
  },
];
