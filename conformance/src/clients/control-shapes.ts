import { loadControl } from '@hookproof/spec/control';
import type { Clock, ControlDocument, Limits, SentTest } from '@hookproof/spec/control';
import type { JsonSchema } from '@hookproof/spec/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';

import type {
  ControlledRun,
  Delivery,
  InjectedFault,
  WebhookEndpoint,
  World,
  WorldSummary,
} from './control-client.ts';

/**
 * What a response of the control interface must be: the members that the suite reads, each as `control.yaml` describes
 * it. The validator is made at its first use.
 */
export interface Shape<T> {
  /** What the response describes, for messages. */
  readonly name: string;
  readonly validator: () => ValidateFunction<T>;
}

interface List<T> {
  readonly data: readonly T[];
}

export const WORLD: Shape<World> = shape('a world', world);
export const WORLDS: Shape<List<WorldSummary>> = shape('a list of worlds', () =>
  listOf(members('WorldSummary', ['id'], ['label'])),
);
export const RUN: Shape<ControlledRun> = shape('a run', () =>
  members('RunSnapshot', ['id', 'status'], ['automationId', 'type', 'triggerType']),
);
export const ENDPOINT: Shape<WebhookEndpoint> = shape('an endpoint', endpoint);
export const ENDPOINTS: Shape<List<WebhookEndpoint>> = shape('a list of endpoints', () =>
  listOf(endpoint()),
);
export const DELIVERY: Shape<Delivery> = shape('a delivery', delivery);
export const DELIVERIES: Shape<List<Delivery>> = shape('a list of deliveries', () =>
  listOf(delivery()),
);
export const CLOCK: Shape<Clock> = shape('the clock', () => members('Clock', ['mode', 'now']));
export const SENT_TEST: Shape<SentTest> = shape('a sent test event', () =>
  members('SentTest', ['eventId']),
);
export const LIMITS: Shape<Limits> = shape('the limits', () =>
  members('Limits', ['rateLimit', 'accounting']),
);
export const FAULT: Shape<InjectedFault> = shape('a fault', fault);
export const FAULTS: Shape<List<InjectedFault>> = shape('a list of faults', () => listOf(fault()));
/** Of a response whose status says everything. */
export const ANYTHING: Shape<unknown> = shape('a response', () => ({}));

/** Keys and fixtures of other names are texts too: all keys are redacted. */
function world(): JsonSchema {
  const schema = members('World', ['id', 'tenantId', 'keys', 'fixtures']);
  const texts = { type: 'object', additionalProperties: { type: 'string' } } as const;
  return { ...schema, properties: { ...schema.properties, keys: texts, fixtures: texts } };
}

function endpoint(): JsonSchema {
  return members('WebhookEndpoint', ['id', 'url', 'secret'], ['worldId']);
}

function delivery(): JsonSchema {
  const schema = members('Delivery', ['id', 'eventId', 'status', 'attempts'], ['nextAttemptAt']);
  const items = members('DeliveryAttempt', ['startedAt'], ['error', 'detail']);
  return { ...schema, properties: { ...schema.properties, attempts: { type: 'array', items } } };
}

function fault(): JsonSchema {
  return members('ApiFault', [], ['id', 'match']);
}

function listOf(items: JsonSchema): JsonSchema {
  return { type: 'object', required: ['data'], properties: { data: { type: 'array', items } } };
}

let documents: { readonly ajv: Ajv2020; readonly control: ControlDocument } | undefined;

/** `control.yaml` for any deployment: a response may lack members, have more of them, and have ids of another form. */
function openDocument(): { readonly ajv: Ajv2020; readonly control: ControlDocument } {
  if (documents !== undefined) return documents;
  const control: ControlDocument = JSON.parse(
    JSON.stringify(loadControl(), (key, value: unknown) =>
      (key === 'required' && Array.isArray(value)) ||
      (key === 'additionalProperties' && value === false) ||
      (key === 'pattern' && typeof value === 'string')
        ? undefined
        : value,
    ),
  );
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(control, 'control', false, false);
  return (documents = { ajv, control });
}

/** A schema of `control.yaml`, with these members alone. */
function members(
  name: string,
  required: readonly string[],
  optional: readonly string[] = [],
): JsonSchema {
  const { properties = {} } = openDocument().control.components.schemas[name] ?? {};
  const read = [...required, ...optional].map(
    (member) => [member, properties[member] ?? {}] as const,
  );
  return { type: 'object', required: [...required], properties: Object.fromEntries(read) };
}

function shape<T>(name: string, schemaOf: () => JsonSchema): Shape<T> {
  let compiled: ValidateFunction<T> | undefined;
  const validator = (): ValidateFunction<T> => {
    const text = JSON.stringify(schemaOf()).replaceAll('"#/', '"control#/');
    return (compiled ??= openDocument().ajv.compile<T>(JSON.parse(text)));
  };
  return { name, validator };
}
