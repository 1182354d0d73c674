import {
  API_VERSION,
  EDITABLE_REVIEW_STATUSES,
  EVENT_ID_PREFIX,
  EVENT_TYPES,
  RETRIED_STATUSES,
  REVIEW_STATUSES,
  RUN_STATUSES,
  SECRET_PREFIX,
  SIGNATURE_HEADERS,
  SIGNATURE_PREFIX,
  TERMINAL_RUN_STATUSES,
  TIMESTAMP_TOLERANCE_SECONDS,
} from '@hookproof/spec';
import { loadOpenApi } from '@hookproof/spec/openapi';
import { expect, test } from 'vitest';

const { components, webhooks } = loadOpenApi();
const { schemas, parameters } = components;

test('statuses and event types equal those of the document', () => {
  expect(RUN_STATUSES).toEqual(schemas['RunStatus']?.enum);
  expect(REVIEW_STATUSES).toEqual(schemas['ReviewStatus']?.enum);
  expect(EVENT_TYPES).toEqual(Object.keys(webhooks));
});

test('terminal and editable statuses are the subsets that the contract names', () => {
  expect(RUN_STATUSES.filter((status) => TERMINAL_RUN_STATUSES.includes(status))).toEqual([
    'completed',
    'failed',
    'cancelled',
    'rejected',
  ]);
  expect(REVIEW_STATUSES.filter((status) => !EDITABLE_REVIEW_STATUSES.includes(status))).toEqual([
    'closed',
  ]);
});

test('header names and prefixes equal those of the delivery headers', () => {
  const { WebhookId, WebhookTimestamp, WebhookSignature } = parameters;
  expect(SIGNATURE_HEADERS).toEqual({
    id: WebhookId?.name,
    timestamp: WebhookTimestamp?.name,
    signature: WebhookSignature?.name,
  });
  expect(WebhookId?.schema.pattern).toBe(`^${EVENT_ID_PREFIX}`);
  expect(WebhookSignature?.schema.pattern).toMatch(new RegExp(`^\\^${SIGNATURE_PREFIX}`));
  expect(WebhookSignature?.description).toContain(`\`${SECRET_PREFIX}\``);
  expect(WebhookTimestamp?.description).toContain(`${TIMESTAMP_TOLERANCE_SECONDS} seconds`);
  expect(SECRET_PREFIX).toBe('whsec_');
  expect(TIMESTAMP_TOLERANCE_SECONDS).toBe(300);
});

test('the retried statuses equal those that the document describes as retried', () => {
  for (const { post } of Object.values(webhooks)) {
    const single = Object.keys(post?.responses ?? {}).filter((status) => /^\d{3}$/.test(status));
    expect(RETRIED_STATUSES).toEqual(single.map(Number));
  }
});

test('the API version equals that of the example events', () => {
  for (const { post } of Object.values(webhooks)) {
    expect(post?.requestBody?.content['application/json']?.example).toMatchObject({
      apiVersion: API_VERSION,
    });
  }
  expect(API_VERSION).toBe('2026-07-01');
});
