import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { Inconclusive, NotApplicable } from '../../../verdict/findings.ts';
import {
  assumeSuccess,
  expectStatus,
  expectSuccess,
  violation,
} from '../../../check-kit/expect.ts';
import { isRecord } from '../../../http/message.ts';
import { INBOX } from '../operations/lists.ts';
import { frameOf, titleOf } from '../operations/operation.ts';
import type { ApiOperation } from '../operations/operation.ts';
import { expectRefused, expectStatusInEveryForm } from '../operations/refused-requests.ts';
import type { Sandbox } from '../operations/sandbox.ts';
import { validResponse } from '../operations/shared-worlds.ts';
import { OPERATIONS } from '../operations/table.ts';

const scope = area('api.scope', { access: 'read', needs: ['key.main'] });

const QUERY = { limit: 1, offset: 0 };

/** A key may always ask for its own identity: that is no access to a resource. */
const RESOURCES = OPERATIONS.filter(({ name }) => name !== 'auth-check');

/** Who may read the inbox, what a key with ocr:full may not do, and what a wildcard key may do. */
export const scopeChecks: readonly Check[] = [
  scope.check({
    name: 'inbox-reviewer',
    requirements: ['scope.inbox.reviewer'],
    title: "a reviewer's key reads the inbox without the scope workflow:read",
    needs: ['key.reviewer'],
    async run({ api }) {
      expectSuccess(await api.sample({ path: INBOX.path, query: QUERY, key: 'reviewer' }));
    },
  }),
  scope.check({
    name: 'inbox-refused',
    requirements: ['scope.inbox.required', 'inbox.errors', 'scope.lacking', 'status-code.403'],
    title: 'refuses the inbox to a key without dataset_review:read, with 403',
    needs: ['key.main', 'key.workflow'],
    async run({ api }) {
      assumeSuccess(await api.sample({ path: INBOX.path, query: QUERY }));
      const own = await api.sample({ path: '/v1/auth/check', key: 'workflow' });
      if (own.status === 401) throw new Inconclusive('Cannot judge: the workflow key is unknown.');
      expectStatus(await api.sample({ path: INBOX.path, query: QUERY, key: 'workflow' }), 403);
    },
  }),
  ...RESOURCES.map(ocrKey),
  ...RESOURCES.map(wildcardKey),
];

function ocrKey(operation: ApiOperation): Check {
  const frame = frameOf(operation);
  // A world has the key, so that writes need no key of the run.
  const needs = [...frame.needs, ...(frame.access === 'read' ? (['key.ocr'] as const) : [])];
  const effect = operation.access === 'read' ? '' : ', without an effect';
  return area('api.ocr-key', { ...frame, needs }).check({
    name: operation.name,
    requirements: ['scope.ocr-only', 'scope.lacking', 'status-code.403'],
    title: `refuses ${titleOf(operation)} to a key with only ocr:full, with 403${effect}`,
    run: (context) =>
      expectRefused(context, operation, {
        callers: ({ ocrKey: key }) => [{ key }],
        async judge(refused) {
          if (refused.response.status === 401) await assumeKnown(refused.sandbox);
          await expectStatusInEveryForm(operation, refused, 403);
        },
      }),
  });
}

async function assumeKnown({ api, ocrKey: key }: Sandbox): Promise<void> {
  const identity = await api.send({ path: '/v1/auth/check', key });
  if (identity.status === 401) throw new Inconclusive('Cannot judge: the ocr key is unknown.');
}

function wildcardKey(operation: ApiOperation): Check {
  return area('api.wildcard-key', frameOf(operation)).check({
    name: operation.name,
    requirements: ['scope.wildcard.covers-all'],
    title: `does not refuse ${titleOf(operation)} to a wildcard key with 403`,
    async run(context) {
      if (!operation.needs.includes('control')) await assumeWildcard(context);
      const response = await validResponse(context, operation);
      if (response.status === 403) throw violation('any status but 403', '403', response);
    },
  });
}

/** Only a control interface or the auth check identifies a wildcard key. */
async function assumeWildcard({ api }: CheckContext): Promise<void> {
  const identity = await api.sample({ path: '/v1/auth/check' });
  if (isRecord(identity.json) && identity.json['wildcardGranted'] === true) return;
  throw new NotApplicable('the key of this run is not a wildcard key');
}
