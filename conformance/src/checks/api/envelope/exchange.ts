import type { Operation } from '@hookproof/spec/openapi';

import { operationWithId } from '../../../http/contract.ts';
import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext, Requirements } from '../../../check-kit/check.ts';
import { faultOf, hasResponseSchema } from '../../../check-kit/exchange-rules.ts';
import type { ExchangeRule, Fault } from '../../../check-kit/exchange-rules.ts';
import type { BadExchange } from '../../../check-kit/exchange-log.ts';
import type { HttpExchange } from '../../../http/exchange.ts';
import { Inconclusive, NotApplicable, Violation } from '../../../verdict/findings.ts';
import { firstPage, LISTS, needEntries } from '../operations/lists.ts';
import { frameOf, requestOf, requirementsOf, titleOf } from '../operations/operation.ts';
import type { ApiOperation } from '../operations/operation.ts';
import { assumeGranted, refusedToNothing } from '../operations/requests.ts';
import { OPERATIONS } from '../operations/table.ts';
import { RESPONSE_REQUIREMENTS } from './response-requirements.ts';

const ENVELOPE: Requirements = [
  'envelope.every-error',
  'envelope.fields',
  'envelope.request-id.header-equals-body',
  'versioning.wire.json-bodies',
];

/** Every exchange of the run, whatever check sent it, by operation and rule. */
export const exchangeChecks: readonly Check[] = [
  ...OPERATIONS.filter((operation) =>
    hasResponseSchema(operationWithId(operation.operationId)),
  ).map(response),
  ...OPERATIONS.map(envelope),
  ...OPERATIONS.filter(({ name }) => name === 'inbox').map(status),
];

function status(operation: ApiOperation): Check {
  return judged(operation, 'status', {
    requirements: ['inbox.errors'],
    title: `every error of ${titleOf(operation)} has one of the statuses that the contract lists`,
  });
}

function response(operation: ApiOperation): Check {
  return judged(operation, 'response', {
    requirements: requirementsOf(
      operation,
      RESPONSE_REQUIREMENTS[operation.name] ?? ['versioning.wire.json-bodies'],
    ),
    title: `every 2xx of ${titleOf(operation)} is JSON that fits its schema`,
  });
}

function envelope(operation: ApiOperation): Check {
  const own = operation.name === 'review-update' ? ['review-update.errors.envelope'] : [];
  return judged(operation, 'envelope', {
    requirements: requirementsOf(operation, [...ENVELOPE, ...own]),
    title: `every error of ${titleOf(operation)} has an error envelope with the documented members only, and its requestId as x-request-id`,
  });
}

function judged(
  operation: ApiOperation,
  rule: ExchangeRule,
  own: Pick<Check, 'requirements' | 'title'>,
): Check {
  const frame = { ...frameOf(operation), exclusive: 'at-the-end' as const };
  // Every known key gets an error of every operation that reads, also of one whose ids are unknown.
  const needs = frame.needs.filter((need) => need === 'key.main' || need === 'app');
  const isOfNothing = operation.access === 'read' || operation.toNothing !== undefined;
  const hasNoIds = isOfNothing && rule !== 'response';
  return area(`api.${rule}`, hasNoIds ? { ...frame, needs } : frame).check({
    name: operation.name,
    ...own,
    async run(context) {
      const record = () => context.exchanges.record(operation.operationId, rule);
      if (record().judged === 0) await cause(context, operation, rule);
      const { judged: seen, bad, first } = record();
      if (seen === 0) throw unseen(operation, rule);
      if (first === null) {
        if (rule === 'response') await requireEntries(context, operation);
        return;
      }
      if (context.attempt === 1) throw violationOf(first.fault, first.exchange);
      await confirm(context, operationWithId(operation.operationId), rule, { first, bad });
    },
  });
}

/** Pages without entries say nothing about the members of an entry. */
async function requireEntries(context: CheckContext, { name }: ApiOperation): Promise<void> {
  const list = LISTS.find(({ operation }) => operation === name);
  if (list !== undefined) needEntries(list, await firstPage(context, list), 1);
}

/** Sends the request of the bad exchange again if it only reads. A write is not repeated. */
async function confirm(
  { api }: CheckContext,
  operation: Operation,
  rule: ExchangeRule,
  { first, bad }: { readonly first: BadExchange; readonly bad: number },
): Promise<void> {
  if (operation.method !== 'GET') throw violationOf(first.fault, first.exchange);
  const again = await api.send(first.request);
  const fault = faultOf(rule, operation, again);
  if (fault != null) throw violationOf(fault, again.exchange);
  if (again.status !== first.status && bad > 1) throw violationOf(first.fault, first.exchange);
}

/** Sends a request of the operation when no other check has sent one. */
async function cause(
  context: CheckContext,
  operation: ApiOperation,
  rule: ExchangeRule,
): Promise<void> {
  if (rule === 'response') await assumeGranted(context, operation);
  else if (operation.access !== 'read') {
    await refusedToNothing(context, operation, (valid) => ({
      ...requestOf(operation, valid),
      key: null,
    }));
  } else {
    const parameters = Object.fromEntries(operation.ids.map((name) => [name, 'unknown']));
    const { path } = requestOf(operation, { parameters });
    await context.api.sample({ path, key: null });
  }
}

function unseen(operation: ApiOperation, rule: ExchangeRule): Error {
  const title = titleOf(operation);
  return rule === 'response'
    ? new NotApplicable(`${title} succeeds without a body`)
    : new Inconclusive(`Cannot judge: no request to ${title} got an error of the contract.`, {
        reportedBy: rule === 'status' ? `api.envelope.${operation.name}` : null,
      });
}

function violationOf(fault: Fault, exchange: HttpExchange): Violation {
  return new Violation({ ...fault, exchange });
}
