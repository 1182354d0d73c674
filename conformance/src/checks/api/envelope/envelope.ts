import { area } from '../../../check-kit/area.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import {
  expectAllowed,
  assumeSuccess,
  expectStatus,
  show,
  violation,
} from '../../../check-kit/expect.ts';
import { partSchema } from '../../../check-kit/schema.ts';
import { isRecord } from '../../../http/message.ts';
import { envelopes, ERRORS } from '../operations/errors.ts';
import { INBOX } from '../operations/lists.ts';

const envelope = area('api.envelope', { access: 'read', needs: ['key.main'] });

const MEMBERS = new Set(['issues', 'requestId', 'hint', 'docsUrl', 'conflictingWorkflowId']);

const membersFaults = partSchema({
  type: 'object',
  required: ['issues', 'requestId'],
  properties: {
    issues: { type: 'array', items: { type: 'object' } },
    requestId: { type: 'string' },
    hint: { type: 'string' },
    docsUrl: { type: 'string' },
    conflictingWorkflowId: { type: 'string' },
  },
});

/** Every error has an envelope with the documented members. */
export const envelopeChecks: readonly Check[] = [
  envelope.check({
    name: 'bad-request',
    requirements: ['envelope.every-error'],
    title: 'a 400 has an error envelope',
    async run(context) {
      assumeSuccess(await readInbox(context));
      await expectError(context, 400);
    },
  }),
  envelope.check({
    name: 'unauthorized',
    requirements: ['envelope.every-error'],
    title: 'a 401 has an error envelope',
    async run(context) {
      assumeSuccess(await readInbox(context));
      await expectError(context, 401);
    },
  }),
  envelope.check({
    name: 'forbidden',
    requirements: ['envelope.every-error'],
    title: 'a 403 has an error envelope',
    needs: ['key.main', 'key.ocr'],
    async run(context) {
      assumeSuccess(await readInbox(context));
      await expectError(context, 403);
    },
  }),
  envelope.check({
    name: 'not-found',
    requirements: ['envelope.every-error'],
    title: 'a 404 for an unknown id has an error envelope',
    run: (context) => expectError(context, 404),
  }),
  envelope.check({
    name: 'unknown-path',
    requirements: ['envelope.every-error'],
    title: 'the response to an unknown path has an error envelope',
    async run({ api }) {
      const response = await api.sample({ path: '/v1/no-such-thing-in-the-contract' });
      if (response.status < 400) {
        throw violation('an error', `status ${response.status}`, response);
      }
      expectEnvelope(response);
    },
  }),
  envelope.check({
    name: 'schema',
    title:
      'an envelope has issues and requestId; hint, docsUrl and conflictingWorkflowId are strings',
    requirements: [
      'envelope.issues',
      'envelope.request-id.present',
      'envelope.hint',
      'envelope.docs-url',
      'envelope.conflicting-workflow-id.type',
    ],
    needs: ['key.main', 'key.ocr'],
    async run(context) {
      for (const { response, body } of await envelopes(context)) {
        const found = membersFaults(body);
        if (found !== null) throw violation('the members of an envelope', found, response);
      }
    },
  }),
  envelope.check({
    name: 'closed',
    title: 'an envelope has no members beyond the documented five',
    requirements: ['envelope.closed'],
    needs: ['key.main', 'key.ocr'],
    async run(context) {
      for (const { response, body } of await envelopes(context)) {
        const others = Object.keys(body).filter((name) => !MEMBERS.has(name));
        if (others.length > 0) throw violation('no other member', others.join(', '), response);
      }
    },
  }),
  envelope.check({
    name: 'request-id-header',
    title: 'x-request-id of an error equals the requestId of its envelope',
    requirements: ['envelope.request-id.header-equals-body'],
    needs: ['key.main', 'key.ocr'],
    async run(context) {
      for (const { response, body } of await envelopes(context)) {
        const header = response.header('x-request-id');
        if (header === undefined || header !== body['requestId']) {
          const expected = `x-request-id equal to requestId, ${show(body['requestId'])}`;
          throw violation(expected, show(header), response);
        }
      }
    },
  }),
];

async function expectError(context: CheckContext, status: number): Promise<void> {
  const cause = ERRORS[status];
  if (cause === undefined) throw new TypeError(`no request of ERRORS causes ${status}`);
  const response = await cause(context);
  if (status === 404) expectKnownKey(response);
  expectStatus(response, status);
  expectEnvelope(response);
}

/** The contract does not state the scope of the operation: a 403 means that the run needs another key. */
function expectKnownKey(response: ApiResponse): void {
  if (response.status === 403) expectAllowed(response);
}

/** An object with issues; other checks judge its members. */
export function expectEnvelope(response: ApiResponse): void {
  if (!isRecord(response.json) || !Array.isArray(response.json['issues'])) {
    throw violation('an error envelope with issues', show(response.json), response);
  }
}

function readInbox({ api }: CheckContext): Promise<ApiResponse> {
  return api.sample({ path: INBOX.path, query: { limit: 1, offset: 0 } });
}
