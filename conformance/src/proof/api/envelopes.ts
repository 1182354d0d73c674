import type { ApiOperation } from '../../checks/api/operations/operation.ts';
import { OPERATIONS } from '../../checks/api/operations/table.ts';
import { isRecord } from '../../http/message.ts';
import type { Incoming } from '../../http/message.ts';
import { editJson, replaceHeader, respond, withBytes, withHeader } from '../kit/message.ts';
import type { Fields } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import { isError, onResponse } from './change.ts';

type Breaks = readonly [breaks: string, change: (response: Incoming) => Incoming];

/** Each operation in turn gets the next of these, so that every one occurs in several operations. */
const SHAPES: Readonly<Record<string, Breaks>> = {
  'without-issues': ['envelope.issues', body((fields) => delete fields['issues'])],
  'with-extra-member': ['envelope.closed', body((fields) => (fields['status'] = 'error'))],
  'without-request-id': [
    'envelope.request-id.present',
    body((fields) => delete fields['requestId']),
  ],
  'with-issues-as-object': ['envelope.issues', body((fields) => (fields['issues'] = {}))],
  'with-number-as-hint': ['envelope.hint', body((fields) => (fields['hint'] = 7))],
  'with-list-as-docs-url': ['envelope.docs-url', body((fields) => (fields['docsUrl'] = ['a']))],
  'with-null-as-owner': [
    'envelope.conflicting-workflow-id.type',
    body((fields) => (fields['conflictingWorkflowId'] = null)),
  ],
  'without-field-in-issue': ['envelope.issue.fields', issue((each) => delete each['field'])],
  'without-message-in-issue': ['envelope.issue.fields', issue((each) => delete each['message'])],
  'without-severity-in-issue': ['envelope.issue.fields', issue((each) => delete each['severity'])],
  'with-number-as-code': ['envelope.issue.code', issue((each) => (each['code'] = 4001))],
  'with-fatal-severity': ['envelope.issue.severity', issue((each) => (each['severity'] = 'fatal'))],
  'with-number-as-request-id': [
    'envelope.request-id.present',
    body((fields) => (fields['requestId'] = 17)),
  ],
};

const HEADERS: Readonly<Record<string, (response: Incoming) => Incoming>> = {
  'without-request-id-header': (response) => withHeader(response, 'x-request-id', null),
  'with-another-request-id-header': (response) =>
    withHeader(response, 'x-request-id', 'req_of_another_request'),
};

/** Errors in another shape, by operation. */
export const envelopeDefects: readonly Defect[] = [
  ...OPERATIONS.flatMap((operation, index) => [
    ...Object.entries(HEADERS)
      .slice(index % 2, (index % 2) + 1)
      .map(([name, change]) =>
        defect(operation, name, 'envelope.request-id.header-equals-body', change),
      ),
    ...shapesFor(index).map(([name, [breaks, change]]) => defect(operation, name, breaks, change)),
    defect(operation, 'as-pages', 'envelope.every-error', (response) => ({
      status: response.status,
      headers: [['content-type', 'text/html']],
      bytes: Buffer.from(`<h1>${response.status}</h1>`),
    })),
  ]),
  inbox('as-text', 'envelope.every-error', (response) =>
    replaceHeader(withBytes(response, Buffer.from('refused')), 'content-type', 'text/plain'),
  ),
  inbox('without-a-body', 'envelope.every-error', (response) => ({
    ...respond(response.status),
    headers: response.headers.filter(([name]) => name.toLowerCase() === 'x-request-id'),
  })),
  inbox('in-a-list', 'envelope.every-error', (response) =>
    withBytes(response, Buffer.from(`[${Buffer.from(response.bytes).toString('utf8')}]`)),
  ),
  inbox('declared-as-html', 'versioning.wire.json-bodies', (response) =>
    replaceHeader(response, 'content-type', 'text/html'),
  ),
];

function shapesFor(index: number): readonly (readonly [string, Breaks])[] {
  const all = Object.entries(SHAPES);
  return [0, 1].flatMap((offset) => {
    const found = all[(index * 2 + offset) % all.length];
    return found === undefined ? [] : [found];
  });
}

function inbox(name: string, breaks: string, change: (response: Incoming) => Incoming): Defect {
  const [first] = OPERATIONS;
  if (first === undefined) throw new TypeError('the table has no operations');
  return defect(first, name, breaks, change);
}

function defect(
  { name, operationId }: ApiOperation,
  how: string,
  breaks: string,
  change: (response: Incoming) => Incoming,
): Defect {
  return {
    id: `${name}-errors-${how}`,
    side: 'api',
    does: `${operationId} sends errors ${how.replaceAll('-', ' ')}.`,
    breaks,
    open: onResponse((response, { operation }) =>
      operation.operationId === operationId && isError(response) ? change(response) : response,
    ),
  };
}

function body(edit: (fields: Fields) => unknown): (response: Incoming) => Incoming {
  return (response) => editJson(response, edit);
}

function issue(edit: (each: Fields) => unknown): (response: Incoming) => Incoming {
  return body((fields) => {
    const { issues } = fields;
    if (!Array.isArray(issues)) return;
    fields['issues'] = issues.map((each: unknown) => {
      const copy: Fields = isRecord(each) ? Object.fromEntries(Object.entries(each)) : {};
      edit(copy);
      return copy;
    });
  });
}
