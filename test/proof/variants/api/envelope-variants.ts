import { isError, isSuccess, onResponse, recordsIn } from '@hookproof/conformance/proof/kit/api';
import { variant, variantsOf } from '@hookproof/conformance/proof/kit/defect';
import type { Open, Variant } from '@hookproof/conformance/proof/kit/defect';
import { editJson, withHeader } from '@hookproof/conformance/proof/kit/message';
import type { Fields } from '@hookproof/conformance/proof/kit/message';

/** Errors with other words, codes, paths and ids. */
export const envelopeVariants: readonly Variant[] = [
  ...variantsOf({
    takes: 'envelope.issue.codes',
    api: editIssues,
    rows: {
      'errors-codes-in-capitals': ['Uses other codes.', (issue) => (issue['code'] = 'E_REQUEST')],
      'errors-codes-are-numbers-in-text': [
        'Uses numbers as codes.',
        (issue) => (issue['code'] = '4001'),
      ],
      'errors-codes-have-dots': [
        'Uses codes with dots.',
        (issue) => (issue['code'] = 'request.invalid'),
      ],
    },
  }),
  ...variantsOf({
    takes: 'envelope.issue.texts',
    api: editIssues,
    rows: {
      'errors-messages-in-german': [
        'Writes messages in German.',
        (issue) => (issue['message'] = 'Ungültig.'),
      ],
      'errors-messages-are-empty': ['Writes empty messages.', (issue) => (issue['message'] = '')],
      'errors-messages-are-long': [
        'Writes long messages.',
        (issue) => (issue['message'] = 'This value cannot be used here. '.repeat(200)),
      ],
    },
  }),
  ...variantsOf({
    takes: 'envelope.issue.path-spelling',
    api: editIssues,
    rows: {
      'errors-paths-with-dollar': [
        'Begins the path of a field with `$.`.',
        (issue) => (issue['field'] = spelled(issue, (name) => `$.${name}`)),
      ],
      'errors-paths-with-slashes': [
        'Writes paths as JSON pointers.',
        (issue) => (issue['field'] = spelled(issue, (name) => `/${name.replaceAll('.', '/')}`)),
      ],
      'errors-paths-with-place': [
        'Writes where a field stands in front of its path.',
        (issue) => (issue['field'] = spelled(issue, (name) => `query.${name}`)),
      ],
      'errors-paths-are-root': ['Names no field.', (issue) => (issue['field'] = '<root>')],
    },
  }),
  variant({
    id: 'errors-one-issue',
    takes: 'envelope.issue.texts',
    does: 'Reports one issue only.',
    api: editError((body) => {
      if (Array.isArray(body['issues'])) body['issues'] = body['issues'].slice(0, 1);
    }),
  }),
  variant({
    id: 'errors-issue-with-warning',
    takes: 'envelope.fields',
    does: 'Adds a warning.',
    api: editError((body) => {
      const issue = { field: '<root>', message: 'old client', code: 'old', severity: 'warning' };
      if (Array.isArray(body['issues'])) body['issues'] = [...body['issues'], issue];
    }),
  }),
  ...variantsOf({
    takes: 'envelope.fields',
    api: editError,
    rows: {
      'errors-with-hint': [
        'Sends a hint with each error.',
        (body) => (body['hint'] = 'Read the documentation of this operation.'),
      ],
      'errors-without-hint': [
        'Sends no hint.',
        (body) => delete body['hint'] && delete body['docsUrl'],
      ],
    },
  }),
  variant({
    id: 'errors-with-docs-url',
    takes: 'envelope.fields',
    does: 'Sends docsUrl with each error.',
    api: editError((body) => (body['docsUrl'] = 'https://docs.example/errors')),
  }),
  ...Object.entries({
    'a-uuid': '0b8f2c5e-91d4-4a6b-8c3f-2f1d7e9a5b60',
    'a-number': '90071992547409931',
    long: 'req-'.concat('a1b2c3d4'.repeat(24)),
    'a-trace': '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  }).map(([name, id]): Variant =>
    variant({
      id: `request-id-is-${name}`,
      does: `Uses ${id.slice(0, 40)} and the like as request ids.`,
      takes: 'envelope.fields',
      api: onResponse('every', (response) =>
        isError(response)
          ? withHeader(
              editJson(response, (body) => (body['requestId'] = id)),
              'x-request-id',
              id,
            )
          : response,
      ),
    }),
  ),
  variant({
    id: 'request-id-on-errors-only',
    does: 'Sends x-request-id with errors only.',
    takes: 'envelope.request-id.success',
    api: onResponse('every', (response) =>
      isError(response) ? response : withHeader(response, 'x-request-id', null),
    ),
  }),
  variant({
    id: 'request-id-shared-by-successes',
    does: 'Sends the same x-request-id with every success.',
    takes: 'envelope.request-id.success',
    api: onResponse('every', (response) =>
      isSuccess(response) ? withHeader(response, 'x-request-id', 'req_shared') : response,
    ),
  }),
];

function spelled({ field }: Fields, spell: (name: string) => string): unknown {
  return typeof field === 'string' && field !== '<root>' ? spell(field) : field;
}

function editIssues(edit: (issue: Fields) => void): Open {
  return editError(({ issues }) => {
    for (const issue of recordsIn(issues)) {
      // The code that the contract names keeps its meaning.
      if (issue['code'] !== 'workflow_name_conflict') edit(issue);
    }
  });
}

function editError(edit: (body: Fields) => unknown): Open {
  return onResponse('every', (response) =>
    isError(response) ? editJson(response, edit) : response,
  );
}
