import { listControlOperations, loadControl } from '@hookproof/spec/control';
import type { ControlDocument, ControlOperation } from '@hookproof/spec/control';
import type { JsonSchema } from '@hookproof/spec/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';

/** The members that the suite reads of each schema. With `?`, one may be missing. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  World: ['id', 'tenantId', 'keys', 'fixtures'],
  WorldSummary: ['id', 'label?'],
  WorldList: ['data'],
  RunSnapshot: ['id', 'status', 'automationId?', 'type?', 'triggerType?'],
  RunDetail: ['id', 'status', 'automationId?', 'type?', 'triggerType?'],
  WebhookEndpoint: ['id', 'url', 'secret', 'worldId?'],
  WebhookEndpointList: ['data'],
  SentTest: ['eventId'],
  Delivery: ['id', 'eventId', 'status', 'attempts', 'nextAttemptAt?'],
  DeliveryAttempt: ['startedAt', 'error?', 'detail?'],
  DeliveryList: ['data'],
  Limits: ['rateLimit', 'accounting'],
  ApiFault: ['id?', 'match?'],
  ApiFaultList: ['data'],
  Clock: ['mode', 'now'],
};
/** Those of other names are texts too: all keys are redacted. */
const TEXTS: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } };

/** `control.yaml` as the suite uses it. */
interface Control {
  readonly operations: readonly ControlOperation[];
  readonly ajv: Ajv2020;
}

let opened: Control | undefined;

/** The operations, read at their first use. */
export function controlOperations(): readonly ControlOperation[] {
  return open().operations;
}

/** What a response must be: the members that the suite reads, as `control.yaml` describes them. Null for one without a body. */
export function responseSchema({
  responses,
}: ControlOperation): { readonly name: string; readonly validate: ValidateFunction } | null {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const reference = success?.content?.['application/json']?.schema?.$ref;
  const validate =
    reference === undefined ? undefined : open().ajv.getSchema(`control${reference}`);
  if (reference === undefined || validate === undefined) return null;
  return { name: reference.slice(reference.lastIndexOf('/') + 1), validate };
}

function open(): Control {
  if (opened !== undefined) return opened;
  const document = loadControl();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(asRead(document), 'control', false, false);
  return (opened = { operations: listControlOperations(document), ajv });
}

/** The document for any deployment: a response may lack members, have more of them, and have ids of another form. */
function asRead(document: ControlDocument): object {
  const lenient: ControlDocument = JSON.parse(
    JSON.stringify(document, (key, value: unknown) =>
      (key === 'required' && Array.isArray(value)) ||
      (key === 'additionalProperties' && value === false) ||
      (key === 'pattern' && typeof value === 'string')
        ? undefined
        : value,
    ),
  );
  const schemas = Object.entries(lenient.components.schemas).map(([name, schema]) => [
    name,
    membersOf(schema, MEMBERS[name]),
  ]);
  const texts = { WorldKeys: TEXTS, WorldFixtures: TEXTS };
  return { components: { schemas: { ...Object.fromEntries(schemas), ...texts } } };
}

/** A schema with these members alone. */
function membersOf(schema: JsonSchema, members: readonly string[] | undefined): JsonSchema {
  if (members === undefined) return schema;
  const names = members.map((member) => member.replace('?', ''));
  return {
    type: 'object',
    required: members.filter((member) => !member.endsWith('?')),
    properties: Object.fromEntries(names.map((name) => [name, schema.properties?.[name] ?? {}])),
  };
}
