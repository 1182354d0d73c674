import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { controlOrNull } from '../../../check-kit/control-or-null.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Access } from '../../../wire/gate-rules.ts';
import { CouldNotRun, Inconclusive, NotApplicable } from '../../../verdict/findings.ts';
import {
  assumeSuccess,
  expectStatus,
  expectSuccess,
  violation,
  isOfApi,
} from '../../../check-kit/expect.ts';
import { isRecord } from '../../../http/message.ts';
import { INBOX } from '../operations/lists.ts';
import { frameOf, titleOf } from '../operations/operation.ts';
import type { ApiOperation } from '../operations/operation.ts';
import { expectRefused, expectStatusInEveryForm } from '../operations/refused-requests.ts';
import { validResponse } from '../operations/requests.ts';
import { OPERATIONS } from '../operations/table.ts';

const scope = area('api.scope', { access: 'read', needs: ['key.main'] });

const QUERY = { limit: 1, offset: 0 };

/** A key may always ask for its own identity: that is no access to a resource. */
const RESOURCES = OPERATIONS.filter(({ name }) => name !== 'auth-check');
/**
 * What is certainly no OCR. Files, their content, uploads and usage, which counts OCR pages, are what an OCR client may
 * call: the contract does not map scopes to operations.
 */
const NO_OCR: ReadonlySet<string> = new Set([
  'inbox',
  'review-update',
  'agents',
  'move',
  'export',
  'rename',
  'input-delete',
]);

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
    requirements: ['scope.inbox.required', 'inbox.errors', 'scope.lacking'],
    title: 'refuses the inbox to a key without dataset_review:read, with 403',
    needs: ['key.main', 'key.workflow'],
    async run({ api }) {
      assumeSuccess(await api.sample({ path: INBOX.path, query: QUERY }));
      const own = await api.sample({ path: '/v1/auth/check', key: 'workflow' });
      if (own.status === 401) throw new Inconclusive('Cannot judge: the workflow key is unknown.');
      expectStatus(await api.sample({ path: INBOX.path, query: QUERY, key: 'workflow' }), 403);
    },
  }),
  ...RESOURCES.filter(({ name }) => NO_OCR.has(name)).map(ocrKey),
  wildcardKey('read'),
  wildcardKey('write'),
  wildcardKey('delete'),
];

function ocrKey(operation: ApiOperation): Check {
  const frame = frameOf(operation);
  // A world has the key, so that writes need no key of the run.
  const needs = [
    ...frame.needs,
    ...(frame.access === 'read' ? (['key.ocr'] as const) : []),
    ...(operation.toNothing === undefined ? [] : (['control'] as const)),
  ];
  const effect = operation.access === 'read' ? '' : ', without an effect';
  return area('api.ocr-key', { ...frame, needs }).check({
    name: operation.name,
    requirements:
      operation.name === 'inbox'
        ? ['scope.ocr-only', 'scope.lacking']
        : ['scope.ocr-only.others', 'scope.lacking'],
    title: `refuses ${titleOf(operation)} to a key with only ocr:full, with 403${effect}`,
    run: (context) =>
      expectRefused(context, operation, {
        callers: [{ key: 'ocr' }],
        async judge(refused) {
          if (refused.response.status === 401) await assumeKnown(refused.sandbox);
          await expectStatusInEveryForm(operation, refused, 403);
        },
      }),
  });
}

async function assumeKnown({ api }: CheckContext): Promise<void> {
  const identity = await api.send({ path: '/v1/auth/check', key: 'ocr' });
  if (identity.status === 401) throw new Inconclusive('Cannot judge: the ocr key is unknown.');
}

/** One check for all operations of an access: a key that lacks a scope is one finding. */
function wildcardKey(access: Access): Check {
  const operations = RESOURCES.filter((operation) => operation.access === access);
  const frame = { access, needs: ['key.main'] as const, ...exclusiveOf(access) };
  return area('api.wildcard-key', frame).check({
    name: `${access}s`,
    requirements: ['scope.wildcard.covers-all'],
    title: `a wildcard key may call every operation that ${access}s`,
    async run(context) {
      const refused: ApiOperation[] = [];
      let last: ApiResponse | null = null;
      for (const operation of operations) {
        const response = await validResponseOrNull(context, operation);
        if (response?.status !== 403 || !isOfApi(response)) continue;
        refused.push(operation);
        last = response;
      }
      if (last === null) {
        // Its key is a wildcard key in a world.
        if (access === 'read') await assumeWildcard(context);
        return;
      }
      const titles = refused.map(titleOf).join(', ');
      if (!(await isWildcard(context, access))) {
        throw new CouldNotRun(`the key lacks a scope for ${titles}`, 'use a wildcard key');
      }
      throw violation('no 403 for a wildcard key', `403 for ${titles}`, last);
    },
  });
}

function exclusiveOf(access: Access): Pick<Check, 'exclusive'> {
  return access === 'read' ? {} : { exclusive: 'without-worlds' };
}

/** Null for an operation for which the run lacks something. */
async function validResponseOrNull(
  context: CheckContext,
  operation: ApiOperation,
): Promise<ApiResponse | null> {
  try {
    return await validResponse(context, operation);
  } catch (error) {
    if (error instanceof CouldNotRun) return null;
    throw error;
  }
}

async function assumeWildcard(context: CheckContext): Promise<void> {
  if (await isWildcard(context, 'read')) return;
  throw new NotApplicable('the key of this run is not a wildcard key');
}

/** The key of a world is one. Elsewhere, only the auth check identifies a wildcard key. */
async function isWildcard(context: CheckContext, access: Access): Promise<boolean> {
  if (access !== 'read' && controlOrNull(context) !== null) return true;
  const identity = await context.api.sample({ path: '/v1/auth/check' });
  return isRecord(identity.json) && identity.json['wildcardGranted'] === true;
}
