import type { Mutant } from './mutant.ts';

const GET_FILE = 'server-reference/dist/platform/routes/files.js';
const GET_CONTENT = 'server-reference/dist/platform/routes/files.js';
const FIND_FILE = 'server-reference/dist/platform/resources/find.js';
const DOWNLOAD = 'server-reference/dist/platform/files/download-file.js';

const FOUND = "presentFile(findFile(store.state, key.tenantId, path['id'] ?? '', clock.now()))";
const LIVE = 'file === undefined || hasExpired(file, nowMilliseconds)';
const EXPIRED = 'return expiresAt !== null && nowMilliseconds >= Date.parse(expiresAt);';
const SEED_FILES = 'server-reference/dist/lab/world/seed-files.js';
const EXPIRES = 'expiresAt: purpose === undefined ? null';
const WHOLE = `const stream = await blobs.open(sha256);
        return new Download({ stream, headers: { ...headers, 'Content-Length': String(size) } });`;

/** Metadata, content and lifetime of files. */
export const fileMutants: readonly Mutant[] = [
  {
    id: 'file-size-as-text',
    defect: 'The size of a file is a string.',
    file: GET_FILE,
    find: `return ${FOUND};`,
    replace: `const file = ${FOUND};\n        return { ...file, size: String(file.size) };`,
    fails: ['api.file.fields'],
  },
  {
    id: 'file-size-beyond-safe-integers',
    defect: 'The reported size of a file exceeds the safe integers.',
    file: GET_FILE,
    find: `return ${FOUND};`,
    replace: `return { ...${FOUND}, size: 2 ** 54 };`,
    fails: ['api.file.fields', 'api.file-content.bytes'],
  },
  {
    id: 'file-without-content-type',
    defect: 'A file has no contentType.',
    file: GET_FILE,
    find: `return ${FOUND};`,
    replace: `return { ...${FOUND}, contentType: undefined };`,
    fails: ['api.file.fields'],
  },
  {
    id: 'file-purpose-as-list',
    defect: 'The purpose of an attachment of the builder is an array.',
    file: GET_FILE,
    find: `return ${FOUND};`,
    replace: `const file = ${FOUND};\n        return file.purpose === 'builder-attachment' ? { ...file, purpose: [file.purpose] } : file;`,
    fails: ['api.file.purpose'],
  },
  {
    id: 'file-of-another-id',
    defect: 'The id in the metadata is not the requested one.',
    file: GET_FILE,
    find: `return ${FOUND};`,
    replace: `const file = ${FOUND};\n        return { ...file, id: file.id.toUpperCase() };`,
    fails: ['api.file.asked-for', 'api.upload-complete.promotes'],
  },
  {
    id: 'file-conflict-when-old',
    defect: 'A request for the metadata of a file older than a week gets 409.',
    file: GET_FILE,
    find: `return ${FOUND};`,
    replace: `const file = ${FOUND};
        if (clock.now() - Date.parse(file.createdAt) > 604_800_000) throw Object.assign(new Error(), { status: 409, expose: true });
        return file;`,
    fails: ['api.file.readable'],
  },
  {
    id: 'file-unknown-400',
    defect: 'An unknown file gets 400.',
    file: FIND_FILE,
    find: "throw notFound('id', 'no file has this id');",
    replace: "throw Object.assign(notFound('id', 'no file has this id'), { status: 400 });",
    fails: ['api.file.unknown'],
  },
  {
    id: 'content-cut-short',
    defect: 'A download lacks the last byte.',
    file: DOWNLOAD,
    find: WHOLE,
    replace: `const stream = await blobs.open(sha256, { start: 0, end: size - 2 });
        return new Download({ stream, headers: { ...headers, 'Content-Length': String(size - 1) } });`,
    fails: ['api.file-content.bytes', 'api.upload-complete.promotes'],
  },
  {
    id: 'content-of-zeros',
    defect: 'A download has the right length and the wrong bytes.',
    file: DOWNLOAD,
    find: WHOLE,
    replace: `const { Readable } = await import('node:stream');
        const stream = Readable.from([Buffer.alloc(size)]);
        return new Download({ stream, headers: { ...headers, 'Content-Length': String(size) } });`,
    fails: ['api.file-content.bytes', 'api.upload-complete.promotes'],
  },
  {
    id: 'content-empty',
    defect: 'A download that is not redirected has no bytes.',
    file: GET_CONTENT,
    find: 'return downloadFile(blobs, file, incoming);',
    replace: 'return undefined;',
    fails: ['api.file-content.bytes', 'api.file-content.streamed', 'api.upload-complete.promotes'],
  },
  {
    id: 'redirect-to-denied-address',
    defect: 'The storage refuses the address that a redirect names.',
    file: GET_CONTENT,
    find: 'signAddress(grant, store.state.ids.seed)',
    replace: 'signAddress(grant, store.state.ids.seed + 1)',
    fails: ['api.file-content.redirect'],
  },
  {
    id: 'redirect-to-the-api',
    defect: 'A redirect leads to a URL that requires a key.',
    file: GET_CONTENT,
    find: 'signAddress(grant, store.state.ids.seed)',
    replace: '`/v1/files/${file.id}`',
    fails: ['api.file-content.redirect'],
  },
  {
    id: 'address-for-a-year',
    defect: 'A storage address is valid for a year.',
    file: GET_CONTENT,
    find: 'expiryAfter(now, signedUrlSeconds)',
    replace: 'expiryAfter(now, 31_536_000)',
    fails: ['api.file-content.short-lived'],
  },
  {
    id: 'run-inputs-stay',
    defect: 'Files of purpose run-input are never reaped.',
    file: SEED_FILES,
    find: EXPIRES,
    replace: "expiresAt: purpose !== 'builder-attachment' ? null",
    fails: ['api.file.run-input-expires'],
  },
  {
    id: 'builder-attachments-stay',
    defect: 'Files of purpose builder-attachment are never reaped.',
    file: SEED_FILES,
    find: EXPIRES,
    replace: "expiresAt: purpose !== 'run-input' ? null",
    fails: ['api.file.builder-attachment-expires'],
  },
  {
    id: 'temporary-files-for-two-days',
    defect: 'Temporary files live for 48 hours.',
    file: SEED_FILES,
    find: 'HOURS_TO_LIVE = 24;',
    replace: 'HOURS_TO_LIVE = 48;',
    fails: ['api.file.run-input-expires', 'api.file.builder-attachment-expires'],
  },
  {
    id: 'temporary-files-for-half-a-day',
    defect: 'Temporary files live for 12 hours.',
    file: FIND_FILE,
    find: EXPIRED,
    replace: 'return expiresAt !== null && nowMilliseconds >= Date.parse(expiresAt) - 43_200_000;',
    fails: ['api.file.temporary-lives'],
  },
  {
    id: 'durable-files-reaped',
    defect: 'Durable files are gone after 30 days.',
    file: FIND_FILE,
    find: LIVE,
    replace: `${LIVE} || nowMilliseconds - Date.parse(file.createdAt) > 2_592_000_000`,
    fails: ['api.file.durable'],
  },
  {
    id: 'content-without-key',
    defect: 'Every key can read the content of a file.',
    file: 'server-reference/dist/platform/access/api-key.js',
    find: 'ctx.state.key = findKey(',
    replace: `const file = store.state.files[ctx.path.split('/')[3] ?? ''];
        ctx.state.key = file !== undefined && ctx.path.endsWith('/content')
            ? Object.values(store.state.apiKeys).find((key) => key.tenantId === file.tenantId && key.scope.length === 0)
            : findKey(`,
    fails: ['api.auth.missing-key-by-id', 'api.tenant.foreign-content-withheld'],
  },
  {
    id: 'foreign-file-shown',
    defect: 'The metadata of a file is shown to other tenants.',
    file: GET_FILE,
    find: `return ${FOUND};`,
    replace: `const owner = store.state.files[path['id'] ?? '']?.tenantId ?? key.tenantId;
        return presentFile(findFile(store.state, owner, path['id'] ?? '', clock.now()));`,
    fails: ['api.tenant.foreign-file-withheld'],
  },
  {
    id: 'foreign-content-shown',
    defect: 'The content of a file is shown to other tenants.',
    file: GET_CONTENT,
    find: "findFile(store.state, key.tenantId, path['id'] ?? '', now)",
    replace:
      "findFile(store.state, store.state.files[path['id'] ?? '']?.tenantId ?? key.tenantId, path['id'] ?? '', now)",
    fails: ['api.tenant.foreign-content-withheld'],
  },
];
