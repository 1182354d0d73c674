import type { Clock, Limits, SentTest } from '@hookproof/spec/control';

import { isRecord } from '../http/message.ts';
import type { ControlledRun, Delivery, WebhookEndpoint, World } from './control-client.ts';

/** Whether a response of the control interface has the fields that the suite reads. */
export type Shape<T> = (value: unknown) => value is T;

function hasStrings(
  value: unknown,
  ...names: string[]
): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && names.every((name) => typeof value[name] === 'string');
}

function hasOnlyStrings(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((item) => typeof item === 'string');
}

export const isWorld: Shape<World> = (value): value is World =>
  hasStrings(value, 'id', 'tenantId') &&
  hasOnlyStrings(value['keys']) &&
  hasOnlyStrings(value['fixtures']);

export const isRun: Shape<ControlledRun> = (value): value is ControlledRun =>
  hasStrings(value, 'id', 'status');

export const isEndpoint: Shape<WebhookEndpoint> = (value): value is WebhookEndpoint =>
  hasStrings(value, 'id', 'url', 'secret');

export const isDelivery: Shape<Delivery> = (value): value is Delivery =>
  hasStrings(value, 'id', 'eventId', 'status') && Array.isArray(value['attempts']);

export const isDeliveryList: Shape<{ readonly data: readonly Delivery[] }> = (
  value,
): value is { readonly data: readonly Delivery[] } =>
  isRecord(value) && Array.isArray(value['data']) && value['data'].every(isDelivery);

export const isClock: Shape<Clock> = (value): value is Clock => hasStrings(value, 'mode', 'now');

export const isSentTest: Shape<SentTest> = (value): value is SentTest =>
  hasStrings(value, 'eventId');

export const isLimits: Shape<Limits> = (value): value is Limits =>
  hasStrings(value, 'accounting') && (value['rateLimit'] === null || isRecord(value['rateLimit']));

export const isEmpty: Shape<undefined> = (value): value is undefined => value === undefined;

export const isObject: Shape<object> = (value): value is object =>
  typeof value === 'object' && value !== null;
