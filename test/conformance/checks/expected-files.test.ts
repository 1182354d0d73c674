import { expect, test } from 'vitest';

import type { ApiResponse } from '@hookproof/conformance';
import {
  fileNamesIn,
  textsIn,
} from '../../../conformance/src/checks/api/operations/expected-files.ts';

function response(json: unknown): ApiResponse {
  return {
    status: 200,
    headers: [],
    header: () => undefined,
    bytes: Buffer.from(''),
    text: '',
    json,
    exchange: {
      sentBy: 'suite',
      request: { method: 'GET', url: '', headers: [], body: null },
      response: null,
    },
  };
}

const NAMES = ['reports/totals.xlsx', 'rows.csv'];

test.each([
  ['objects in a list', { data: NAMES.map((name) => ({ name, size: 12 })) }],
  ['a list of names', NAMES],
  ['members of an object', { files: { 'reports/totals.xlsx': { size: 1 }, 'rows.csv': {} } }],
])('names of files are found as %s', (_form, json) => {
  expect(fileNamesIn(response(json), 'exec_1').toSorted()).toEqual(NAMES);
});

test('URLs, times and words are not file names', () => {
  const others = {
    runId: 'exec_1.csv',
    reviewer: 'mats@brookside.example',
    link: 'https://storage.example/rows.csv',
    at: '2026-03-06T16:45:00.000Z',
    type: 'text/csv',
    status: 'open',
  };
  expect(fileNamesIn(response(others), 'exec_1.csv')).toEqual([]);
});

test('the id of the run is omitted', () => {
  expect(textsIn(response({ runId: 'exec_1', data: [], note: '' }), 'exec_1')).toEqual([]);
  expect(textsIn(response(undefined), 'exec_1')).toEqual([]);
});
