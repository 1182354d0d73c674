import { listCompanions, listOperations, loadOpenApi } from '@hookproof/spec/openapi';
import type { Operation } from '@hookproof/spec/openapi';
import type { World } from '@hookproof/server-reference';

type Fixtures = World['fixtures'];

/** A GET of the document with an address at which the seeded world has something. */
export interface ReadAddress {
  readonly operationId: string;
  readonly path: string;
}

/** Returns an address for every GET of the document. */
export function readAddresses(fixtures: Fixtures): ReadAddress[] {
  const document = loadOpenApi();
  return [...listOperations(document), ...listCompanions(document)]
    .filter(({ method }) => method === 'GET')
    .map((operation) => ({
      operationId: operation.operationId,
      path: pathOf(operation, fixtures) + queryOf(operation),
    }));
}

function pathOf({ path, operationId }: Operation, fixtures: Fixtures): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = VALUES.find(({ at, of }) => name === of && at.test(path))?.value(fixtures);
    if (value === undefined) throw new Error(`No value for ${name} of ${operationId}.`);
    return encodeURIComponent(value);
  });
}

interface Value {
  /** Name of the parameter. */
  readonly of: string;
  readonly at: RegExp;
  readonly value: (fixtures: Fixtures) => string;
}

/** The first row that fits counts. */
const VALUES: readonly Value[] = [
  { of: 'id', at: /\/runs\/\{id\}\/reviews/, value: ({ reviewedRunId }) => reviewedRunId },
  { of: 'id', at: /\/runs\//, value: ({ runId }) => runId },
  { of: 'id', at: /\/automations\//, value: ({ datasetAutomationId }) => datasetAutomationId },
  { of: 'id', at: /\/files\//, value: ({ fileId }) => fileId },
  { of: 'exampleId', at: /./, value: ({ exampleId }) => exampleId },
  { of: 'experimentId', at: /./, value: ({ experimentId }) => experimentId },
  { of: 'path', at: /\/artifacts\//, value: ({ outputFileName }) => `output/${outputFileName}` },
  { of: 'path', at: /\/input\//, value: ({ inputFilePath }) => inputFilePath },
  { of: 'path', at: /\/expected\//, value: ({ expectedFilePath }) => expectedFilePath },
  { of: 'filename', at: /./, value: () => CORRECTED_FILE },
];

/** The corrected file of the reviewed run in the seed data. */
const CORRECTED_FILE = 'corrected/matched-invoices.csv';

/** Required parameters, and for a list one entry, which is what the example of the document has. */
function queryOf({ parameters }: Operation): string {
  const query = new URLSearchParams();
  for (const { name, required, example, in: place } of parameters) {
    if (place !== 'query') continue;
    if (name === 'limit') query.set(name, '1');
    else if (required === true) query.set(name, String(example));
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}
