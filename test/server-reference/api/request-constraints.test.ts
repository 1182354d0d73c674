import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Issue } from '@hookproof/spec';
import type { OpenApiDocument } from '@hookproof/spec/openapi';
import { listCompanions, listOperations } from '@hookproof/spec/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openApp } from '../open-app.ts';
import type { OpenApp } from '../open-app.ts';
import { formBytes } from './files/file-server.ts';
import { openSandbox } from './responses/sandbox.ts';
import type { RequestParts, Sandbox } from './responses/sandbox.ts';

// The self-contained document and the server judge the same values of one field. A request that the document accepts
// can still get a 404 or 409, but never a 400.

interface Row {
  /** Where the values are: in the query, the path, members of the body, or parts of a form. */
  readonly place: 'query' | 'path' | 'json' | 'form';
  readonly operationIds: readonly string[];
  readonly names: readonly string[];
  readonly values: Values;
  /** The rest of the request. */
  readonly request?: (sandbox: Sandbox) => RequestParts;
}

interface Values {
  readonly accepted: readonly unknown[];
  readonly refused: readonly unknown[];
}

const LONG = 'x'.repeat(255);

const BASENAMES: Values = {
  accepted: ['a', 'a.txt', '.hidden', '...a', 'a b', ' a', 'ab:c', '1:c', 'é', '😀', LONG],
  refused: ['', '.', '..', 'a.', 'a ', 'a\\b', 'C:', 'c:a', 'a\u0000', 'a\u007F', 'a\u0085'].concat(
    ['a\u2028b', '\u2029', '\uD800', 'a\uDFFFb', `${LONG}x`],
  ),
};
const PATHS: Values = {
  accepted: [...BASENAMES.accepted, 'a/b', 'a/.b/c d', `${LONG}/${LONG}`],
  refused: [...BASENAMES.refused, '/', '/a', 'a/', 'a//b', 'a/../b', './a', 'a/C:', 'a /b'].concat(
    Array.from({ length: 2 }, () => `${LONG}/`.repeat(4) + 'xx'),
  ),
};
/** In a URL, `.` and `..` have another meaning, and half a character cannot be written. */
const URL_PATHS: Values = {
  accepted: ['a', 'a b', 'é', 'a/b', LONG],
  refused: ['a//b', 'a.', 'a\\b', 'C:', 'a\u0000', 'a/b ', `${LONG}x`],
};
const EXAMPLE_NAMES: Values = {
  accepted: ['a', 'é', 'a b', 'x'.repeat(128)],
  refused: ['', 'a/b', 'a.', '..', 'C:a', 'a\u0000', '\uD800', 'x'.repeat(129)],
};
const TIMES: Values = {
  accepted: ['now', 'now-30d', 'now-999999w', '2026-02-28', '2026-07-05T00:00'].concat([
    '2026-07-05T23:59:59Z',
    '2026-07-05t00:00:00z',
    '2026-07-05T00:00:00.123456-02:00',
    '2026-07-05T00:00-0230',
  ]),
  refused: [
    '',
    'today',
    'now+1d',
    'now-1y',
    'now-1234567d',
    '2026',
    '2026-13-01',
    '2026-02-30',
  ].concat(
    ['2026-04-31', '2026-07-05T24:01', '2026-07-05T10', '2026-07-05T10:60', '2026-07-05 10:00'],
    ['2026-07-05T10:00:00+25:00', 'NOW'],
  ),
};
const PURPOSES: Values = {
  accepted: ['run-input', 'builder-attachment'],
  refused: ['', 'other', 'Run-Input'],
};
const REFERENCES: Values = {
  accepted: [
    {},
    { doc: [] },
    ...['YQ==', 'YQ', 'YWI=', 'YWI', 'YWJj', '+/+/'].map((base64) => ({
      doc: { $inline: { filename: 'a', mimeType: 'x', base64 } },
    })),
    { doc: [{ $fileId: 'file_no' }, { $inline: { filename: 'a', mimeType: 'x', base64: 'YQ' } }] },
  ],
  refused: [
    { doc: 'file_no' },
    { doc: null },
    { doc: {} },
    { doc: { $file: 'input/a' } },
    { doc: { $fileId: 7 } },
    { doc: { $fileId: 'file_no', other: 1 } },
    { doc: [{ $fileId: 'file_no' }, 'file_no'] },
    { doc: { $inline: { filename: 'a', base64: 'YQ==' } } },
    ...['', '%', 'YR==', 'Y', 'YWJ=', 'YQ=', 'YQ==YQ==', 'YQ-_'].map((base64) => ({
      doc: { $inline: { filename: 'a', mimeType: 'x', base64 } },
    })),
  ],
};
const OUTCOMES: Values = {
  accepted: [{}, { $outcome: 'failed' }, { $outcome: 'waiting' }],
  refused: [{ $outcome: 'lost' }, { $outcome: null }, { $outcome: ['failed'] }],
};

const TIME_BOUNDS = [
  'created',
  'completed',
  'reviewCreated',
  'reviewUpdated',
  'reviewClosed',
].flatMap((time) => [`${time}After`, `${time}Before`]);

function inExample({ fixtures }: Sandbox): RequestParts {
  const { datasetAutomationId: id, exampleId, expectedFilePath: path } = fixtures;
  return { path: { id, exampleId, path } };
}

function ofRun({ fixtures: { runId, outputFileName } }: Sandbox): RequestParts {
  return { path: { id: runId, filename: outputFileName }, json: { outputFileName } };
}

function ofWorkflow({ fixtures }: Sandbox): RequestParts {
  return { path: { id: fixtures.workflowId } };
}

function start({ fixtures }: Sandbox): RequestParts {
  return { json: { target: fixtures.workflowId } };
}

function upload(): RequestParts {
  return { json: { filename: 'a', contentType: 'text/csv', size: 1 } };
}

const ROWS: readonly Row[] = [
  {
    place: 'query',
    operationIds: ['listDatasetReviewRequests'],
    names: ['status'],
    values: {
      accepted: ['open', 'open,paused,draft,closed', 'open,open'],
      refused: ['', 'lost', 'open,', ',open', 'open, paused', 'OPEN'],
    },
  },
  {
    place: 'query',
    operationIds: ['exportDataset'],
    names: ['exampleIds'],
    request: inExample,
    values: {
      accepted: ['ex_no', 'ex_no,ex_other', ' '],
      refused: ['', ',', 'ex_no,', 'ex_no,,ex_other'],
    },
  },
  {
    place: 'path',
    operationIds: [
      'renameExpectedFile',
      'downloadExpectedFile',
      'deleteExpectedFile',
      'renameInputFile',
      'downloadInputFile',
      'deleteInputFile',
    ],
    names: ['path'],
    request: (sandbox) => ({ ...inExample(sandbox), json: { newFilename: 'b' } }),
    values: URL_PATHS,
  },
  {
    place: 'json',
    operationIds: ['renameExpectedFile', 'renameInputFile'],
    names: ['newFilename'],
    request: inExample,
    values: {
      accepted: BASENAMES.accepted,
      refused: [...BASENAMES.refused, 'a/b', '/', undefined],
    },
  },
  {
    place: 'json',
    operationIds: ['copyOutputToExpected', 'copyOutputToExpectedApp', 'addExpectedReviewFile'],
    names: ['expectedName'],
    request: ofRun,
    values: PATHS,
  },
  {
    place: 'json',
    operationIds: ['renameExpectedReviewFile'],
    names: ['name'],
    request: ofRun,
    values: PATHS,
  },
  {
    place: 'form',
    operationIds: ['addExpectedReviewFile'],
    names: ['name'],
    request: ofRun,
    values: URL_PATHS,
  },
  { place: 'query', operationIds: ['listRuns'], names: ['from'], values: TIMES },
  {
    place: 'query',
    operationIds: ['listRuns'],
    names: ['to', ...TIME_BOUNDS],
    values: { accepted: ['now-1d'], refused: ['soon'] },
  },
  {
    place: 'query',
    operationIds: ['listExperiments'],
    names: ['fromDate', 'toDate'],
    request: ofWorkflow,
    values: TIMES,
  },
  {
    place: 'query',
    operationIds: ['listRuns'],
    names: ['sampleRate'],
    values: {
      accepted: ['0', '1', '1.0', '.5', '00.25', '5e-1', '00'],
      refused: ['', '.', '1.', '2', '1.01', '-0', '1e3', 'half', '0,5'],
    },
  },
  {
    place: 'query',
    operationIds: ['listRuns'],
    names: ['cursor'],
    values: { accepted: [], refused: ['', 'a+b', 'a/b', 'a=', '{}'] },
  },
  {
    place: 'json',
    operationIds: ['moveAutomation'],
    names: ['folderId'],
    request: ofWorkflow,
    values: {
      accepted: [null, 'folder_no', 'folder_1A'],
      refused: [undefined, '', 'folder_', 'folder_a-b', 'wf_1', ' folder_a', 'folder_a/'],
    },
  },
  {
    place: 'json',
    operationIds: ['moveAutomation'],
    names: ['folderPath'],
    request: ofWorkflow,
    values: {
      accepted: ['', '/', '//', 'A', '/A//B/', '..a', 'a.', ' a', LONG, `/${'a/'.repeat(32)}`],
      refused: [undefined, ' ', 'A/ /B', '.', 'A/..', './A', '\u00A0', `${LONG}x`, 'a/'.repeat(33)],
    },
  },
  {
    place: 'json',
    operationIds: ['createDatasetExample', 'updateDatasetExample'],
    names: ['name'],
    request: inExample,
    values: EXAMPLE_NAMES,
  },
  {
    place: 'json',
    operationIds: ['promoteRun'],
    names: ['name'],
    request: ofRun,
    values: EXAMPLE_NAMES,
  },
  {
    place: 'json',
    operationIds: ['startRun'],
    names: ['target'],
    values: {
      accepted: ['wf_no', 'wf_no@1', '@1'],
      refused: ['', 'workflows.fax-intake@'],
    },
  },
  {
    place: 'json',
    operationIds: ['startRun'],
    names: ['files'],
    request: start,
    values: REFERENCES,
  },
  {
    place: 'json',
    operationIds: ['startRun'],
    names: ['input'],
    request: start,
    values: OUTCOMES,
  },
  {
    place: 'json',
    operationIds: ['createFileUpload'],
    names: ['filename'],
    request: upload,
    values: {
      accepted: [
        'a',
        ' a\n',
        'C:\\dir\\a',
        '/dir/a',
        '...',
        'a b',
        '.a',
        LONG,
        ` ${LONG} `,
        'a/\n b',
      ],
      refused: ['', ' ', '.', ' ..', 'a/', 'a\\', 'a/..', 'a\u0000b', 'a\nb', '\uD800', `${LONG}x`],
    },
  },
  {
    place: 'json',
    operationIds: ['createFileUpload'],
    names: ['contentType'],
    request: upload,
    values: {
      accepted: ['text/csv', 'text/csv; charset=utf-8', 'a/b;c="d e";f=g', `a/${'b'.repeat(253)}`],
      refused: [
        '',
        'text',
        'text/',
        '/csv',
        'text/csv;',
        'text/csv; charset',
        'te xt/csv',
        'text/csv\n',
        'text/ü',
        'a/b;c="d',
        `a/${'b'.repeat(254)}`,
      ],
    },
  },
  {
    place: 'json',
    operationIds: ['createFileUpload'],
    names: ['purpose'],
    request: upload,
    values: { ...PURPOSES, accepted: [...PURPOSES.accepted, null] },
  },
  { place: 'form', operationIds: ['uploadFile'], names: ['purpose'], values: PURPOSES },
];

const path = fileURLToPath(import.meta.resolve('@hookproof/server-reference/openapi.json'));
const document: OpenApiDocument = JSON.parse(readFileSync(path, 'utf8'));
const operations = [...listOperations(document), ...listCompanions(document)];
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'bundle', false, false);

interface Sent {
  readonly parts: RequestParts;
  /** What the document has a schema for: the value of a parameter, or the whole body. */
  readonly judged: unknown;
}

/** Returns whether the document accepts a value. */
function documentJudge(
  place: Row['place'],
  operationId: string,
  name: string,
): (judged: unknown) => boolean {
  const operation = operations.find((one) => one.operationId === operationId);
  const content = operation?.requestBody?.content;
  const parameter = operation?.parameters.find((one) => one.in === place && one.name === name);
  const schema = {
    query: parameter?.schema,
    path: parameter?.schema,
    json: content?.['application/json']?.schema,
    form: content?.['multipart/form-data']?.schema,
  }[place];
  if (schema === undefined) return expect.unreachable(`${operationId} has no ${place} ${name}`);
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"bundle#/components/');
  return ajv.compile(JSON.parse(text));
}

let app: OpenApp;
let sandbox: Sandbox;
beforeAll(async () => {
  app = await openApp();
  sandbox = await openSandbox(app);
});
afterAll(() => app.close());

function requestWith({ place, request }: Row, name: string, value: unknown): Sent {
  const { json, ...parts } = request?.(sandbox) ?? {};
  const text = String(value);
  if (place === 'query') {
    return { parts: { ...parts, query: `?${name}=${encodeURIComponent(text)}` }, judged: value };
  }
  if (place === 'path') {
    return { parts: { ...parts, json, path: { ...parts.path, [name]: text } }, judged: value };
  }
  if (place === 'json') {
    const body: unknown = JSON.parse(JSON.stringify({ ...Object(json), [name]: value }));
    return { parts: { ...parts, json: body }, judged: body };
  }
  const file = { name: 'file', filename: 'a.txt', type: 'text/plain', bytes: 'a' };
  const raw = formBytes([{ name, bytes: text }, file], 'edge').toString();
  const headers = { 'content-type': 'multipart/form-data; boundary=edge' };
  return { parts: { ...parts, raw, headers }, judged: { file: '', [name]: value } };
}

describe.each(ROWS)('$operationIds: $place $names', (row) => {
  test.each([
    ['accept', row.values.accepted, true],
    ['refuse', row.values.refused, false],
  ] as const)('the document and the server %s the same values', async (_verb, values, isFine) => {
    const { place, operationIds, names } = row;
    const fields = operationIds.flatMap((id) => names.map((name) => [id, name] as const));
    for (const [operationId, name] of fields) {
      const documentAccepts = documentJudge(place, operationId, name);
      for (const value of values) {
        const { parts, judged } = requestWith(row, name, value);
        const shown = `${operationId} ${name} ${JSON.stringify(value)?.slice(0, 80)}`;
        expect(documentAccepts(judged), `document: ${shown}`).toBe(isFine);
        const { status, body } = await sandbox.send(operationId, parts);
        expect(status !== 400, `server: ${shown}: ${JSON.stringify(body)}`).toBe(isFine);
      }
    }
  });
});

test.each(operations.filter(({ requestBody }) => requestBody !== undefined))(
  'the document and the server agree whether $operationId has a body',
  async ({ operationId, requestBody }) => {
    const { body } = await sandbox.send(operationId, inExample(sandbox));
    const isRefused = body.issues.some(
      ({ field, code }: Issue) =>
        field === '<root>' && (code === 'invalid_value' || code === 'unsupported_media_type'),
    );
    expect(isRefused, JSON.stringify(body)).toBe(requestBody?.required === true);
  },
);
