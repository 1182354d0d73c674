import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { listControlOperations, loadControl } from '@hookproof/spec/control';
import { listCompanions, listOperations, loadOpenApi } from '@hookproof/spec/openapi';
import type { OpenApiDocument } from '@hookproof/spec/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';

import { loadServerDocument } from '../../server-reference/src/api/server-document.ts';

type Bundle = Pick<OpenApiDocument, 'components' | 'paths' | 'servers'>;

function readBundle(name: string): { text: string; bundle: Bundle } {
  const path = fileURLToPath(import.meta.resolve(`@hookproof/${name}.json`));
  const text = readFileSync(path, 'utf8');
  return { text, bundle: JSON.parse(text) };
}

function operationsOf({ paths }: Bundle) {
  return Object.values(paths).flatMap((item) => Object.values(item).flat());
}

const contract = loadOpenApi();
const server = loadServerDocument();
const sources = {
  'spec/openapi': listOperations(contract),
  'server-reference/openapi': [...listOperations(server), ...listCompanions(server)],
  'spec/control': listControlOperations(loadControl()),
};

describe.each(['spec/openapi', 'server-reference/openapi', 'spec/control'] as const)(
  '@hookproof/%s.json',
  (name) => {
    const { text, bundle } = readBundle(name);

    test('refers only to itself', () => {
      const references = [...text.matchAll(/"\$ref": "([^"]*)"/g)].map(
        ([, reference]) => reference,
      );
      expect(references.filter((reference) => !reference?.startsWith('#/'))).toEqual([]);
    });

    test('has every operation of its source', () => {
      const ids = operationsOf(bundle).map(({ operationId }) => operationId);
      expect(new Set(ids)).toEqual(new Set(sources[name].map(({ operationId }) => operationId)));
      expect(ids).toHaveLength(sources[name].length);
    });

    test('has one server, whose URL has no variable', () => {
      expect(bundle.servers.map(({ url }) => url)).toEqual([
        name !== 'spec/control' ? 'http://127.0.0.1:4010' : 'http://127.0.0.1:4010/_control',
      ]);
      expect(Object.values(bundle.paths).filter((item) => 'servers' in item)).toEqual([]);
    });

    test('has a concrete status for every response, and one success', () => {
      for (const { operationId, responses } of operationsOf(bundle)) {
        const statuses = Object.keys(responses);
        expect(
          statuses.filter((status) => !/^[1-5][0-9][0-9]$/.test(status)),
          operationId,
        ).toEqual([]);
        expect(
          statuses.filter((status) => status.startsWith('2')).length,
          operationId,
        ).toBeGreaterThan(0);
      }
    });

    test('has the statuses of the reference server', () => {
      const bundled = Object.fromEntries(
        operationsOf(bundle).map((one) => [one.operationId, one.responses]),
      );
      for (const { operationId, responses } of sources[name]) {
        for (const [status, response] of Object.entries(responses)) {
          if (status === 'default') continue;
          const own = response['x-reference-status'] ?? status;
          expect(bundled[operationId], operationId).toHaveProperty(String(own));
        }
      }
    });
  },
);

test('a download has its media type, and its ranges if the server sends them', () => {
  const { paths } = readBundle('server-reference/openapi').bundle;
  const binary = { type: 'string', format: 'binary' };
  expect(paths['/v1/automations/{id}/dataset/export']?.get?.responses['200']).toMatchObject({
    content: { 'application/zip': { schema: binary } },
  });
  const content = paths['/v1/files/{id}/content']?.get?.responses;
  expect(content).toMatchObject({
    '200': { content: { '*/*': { schema: binary } } },
    '206': { content: { '*/*': { schema: binary } } },
    '302': { $ref: '#/components/responses/StorageRedirect' },
    '416': { $ref: '#/components/responses/OtherError' },
  });
  for (const path of ['/export', '/{experimentId}/export']) {
    expect(paths[`/v1/automations/{id}/experiments${path}`]?.get?.responses['200']).toMatchObject({
      content: {
        'application/json': { schema: { type: 'array' } },
        'application/octet-stream': { schema: binary },
      },
    });
  }
  expect(
    readBundle('server-reference/openapi').bundle.components.schemas['FileUploadForm'],
  ).toMatchObject({
    properties: { file: binary },
  });
});

test('a body that the contract leaves open has the schema of the reference server', () => {
  const source = contract.paths['/v1/runs/{id}']?.get?.responses['2XX'];
  const schema =
    source !== undefined && 'x-reference-schema' in source && source['x-reference-schema'];
  expect(schema).toBeTruthy();
  expect(
    readBundle('server-reference/openapi').bundle.paths['/v1/runs/{id}']?.get?.responses['200'],
  ).toMatchObject({
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  });
});

test('what the reference server checks is in the schemas of requests, and examples pass it', () => {
  const { text, bundle } = readBundle('server-reference/openapi');
  expect(text).not.toContain('x-reference-constraints');
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
  addFormats.default(ajv, ['binary']);
  ajv.addVocabulary(['x-freedom', 'discriminator']);
  ajv.addSchema(absolute({ $id: 'bundle', $defs: bundle.components.schemas }));
  const requests = operationsOf(bundle).flatMap(({ parameters = [], requestBody }) =>
    [parameters, Object.values(requestBody?.content ?? {})].flat(),
  );
  for (const one of requests) {
    if ('$ref' in one) continue;
    const validate = ajv.compile(absolute(one.schema ?? {}));
    if (one.example !== undefined) expect(validate(one.example), JSON.stringify(one)).toBe(true);
  }
});

function absolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"bundle#/$defs/'));
}
