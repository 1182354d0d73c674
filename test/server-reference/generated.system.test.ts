import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { listCompanions, listOperations } from '@hookproof/spec/openapi';
import type { Operation } from '@hookproof/spec/openapi';
import { expect, test } from 'vitest';

import { loadServerDocument } from '../../server-reference/src/api/server-document.ts';
import { ERRORS } from '../../server-reference/src/errors.ts';
import { REQUIREMENTS } from '../../server-reference/src/operations.ts';
import { OPERATIONS, documentedPairs } from './api/responses/documented-pairs.ts';
import { isOwn } from './api/responses/produce-response.ts';

const PAGE = fileURLToPath(new URL('../../server-reference/RESPONSES.md', import.meta.url));

const SECTIONS: Readonly<Record<string, () => string>> = {
  contract: () => scopesTable(listOperations(loadServerDocument())),
  companions: () => scopesTable(listCompanions(loadServerDocument())),
  'error-codes': errorCodesTable,
  responses: responsesTable,
};

function scopesTable(operations: readonly Operation[]): string {
  const rows = operations.map(({ operationId, method, path }) => {
    const requirement = REQUIREMENTS[operationId] ?? expect.unreachable(operationId);
    const scope = requirement === 'any key' ? requirement : `\`${requirement}\``;
    return `| \`${operationId}\` | \`${method} ${path}\` | ${scope} |`;
  });
  return ['| operation | address | required scope |', '| --- | --- | --- |', ...rows].join('\n');
}

function errorCodesTable(): string {
  const rows = Object.entries(ERRORS).map(([code, [status, meaning]]) => {
    const shown = code === 'injected_fault' ? 'that of the fault' : status;
    return `| \`${code}\` | ${shown} | ${meaning} |`;
  });
  return ['| code | status | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** A row for each operation, a column for each documented status. */
function responsesTable(): string {
  const pairs = documentedPairs();
  const statuses = [...new Set(pairs.map(({ status }) => status))].toSorted((a, b) => a - b);
  const rows = OPERATIONS.map((operation) => {
    const cells = statuses.map((status) => {
      const pair = pairs.find((one) => one.operation === operation && one.status === status);
      return pair === undefined ? '' : isOwn(pair) ? '●' : '○';
    });
    return `| \`${operation.operationId}\` | ${cells.join(' | ')} |`;
  });
  const head = `| | ${statuses.join(' | ')} |`;
  return [head, `| --- |${' --- |'.repeat(statuses.length)}`, ...rows].join('\n');
}

// `npm run generate` runs this file with `-u`, which writes the tables.
test('the page has the tables of error codes and responses that `npm run generate` writes', async () => {
  const page = readFileSync(PAGE, 'utf8');
  const names: string[] = [];
  const generated = page.replace(/<!-- ([\w-]+) -->\n[^]*?<!-- \/\1 -->/g, (_old, name: string) => {
    names.push(name);
    return `<!-- ${name} -->\n${SECTIONS[name]?.()}\n<!-- /${name} -->`;
  });
  expect(names).toEqual(Object.keys(SECTIONS));
  await expect(generated).toMatchFileSnapshot(PAGE);
});
