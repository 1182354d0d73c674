import { listCompanions, listOperations } from '@hookproof/spec/openapi';
import { expect, test } from 'vitest';
import { loadServerDocument } from '../../server-reference/src/api/server-document.ts';
import { compileComponent, compileSchema } from './openapi-validator.ts';

const document = loadServerDocument();
const companions = listCompanions(document);
const operations = [...listOperations(document), ...companions];

const ofOperations = operations.flatMap(({ operationId, requestBody, responses }) => [
  { place: `${operationId} request`, content: requestBody?.content },
  ...Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { content }]) => ({ place: `${operationId} ${status}`, content })),
]);
const ofErrors = Object.entries(document.components.responses)
  .filter(([name]) => name !== 'OtherError')
  .map(([name, { content }]) => ({ place: name, content }));
const jsonBodies = [...ofOperations, ...ofErrors].flatMap(({ place, content }) => {
  const media = content?.['application/json'];
  return media === undefined ? [] : [{ place, media }];
});

function isJson(one: { content?: object } | undefined): boolean {
  return one?.content !== undefined && 'application/json' in one.content;
}

test('every operation with a JSON body and every error has an example', () => {
  const requests = companions.filter(({ requestBody }) => isJson(requestBody));
  const responses = companions
    .flatMap((one) => Object.entries(one.responses))
    .filter(([status, response]) => status.startsWith('2') && isJson(response));
  expect(jsonBodies).toHaveLength(5 + 17 + requests.length + responses.length + 9);
});

test.each(jsonBodies)('the example of $place matches its schema', ({ media }) => {
  expect(media.example).toBeDefined();
  const validate = compileSchema(media.schema ?? {});
  validate(media.example);
  expect(validate.errors).toBeNull();
});

test.each(operations)(
  'the parameter examples of $operationId follow their schemas',
  ({ parameters }) => {
    for (const { schema, example } of parameters) {
      expect(example).toBeDefined();
      const validate = compileSchema(schema);
      validate(example);
      expect(validate.errors).toBeNull();
    }
  },
);

test('a reference response without a form in the contract matches the schema that it names', () => {
  const named = operations.flatMap(({ responses }) =>
    Object.values(responses).filter((one) => one['x-reference-schema'] !== undefined),
  );
  expect(named).toHaveLength(3);
  for (const response of named) {
    const validate = compileComponent(response['x-reference-schema'] ?? '');
    validate(response.content?.['application/json']?.example);
    expect(validate.errors).toBeNull();
  }
});
