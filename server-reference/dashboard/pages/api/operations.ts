import type { WorldFixtures } from '@hookproof/spec/control';

import { quote } from '../../parts/command.tsx';

/** An operation of the API, from the OpenAPI document of the server. */
export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** Paragraphs and list items in lines of their own. */
  readonly description: string;
  /** Whether the contract lacks it: a client of the platform calls it all the same. */
  readonly isCompanion: boolean;
  /** Empty if the document names none. */
  readonly scopes: readonly string[];
  readonly hasBody: boolean;
  /** Null without an example of a JSON body. */
  readonly example: unknown;
}

interface Described {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly 'x-companion'?: boolean;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly requestBody?: {
    readonly content?: Readonly<Record<string, { readonly example?: unknown }>>;
  };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Reads the operations of the server. */
export async function readOperations(): Promise<readonly Operation[]> {
  const response = await fetch('/openapi.json', { credentials: 'omit' });
  const { paths }: Document = await response.json();
  return Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const described = methods[method];
      return described === undefined ? [] : [operationOf(method.toUpperCase(), path, described)];
    }),
  );
}

function operationOf(method: string, path: string, described: Described): Operation {
  const { operationId, summary = '', description = '', security = [], requestBody } = described;
  return {
    operationId,
    method,
    path,
    summary,
    // A line that the YAML breaks is no line of the text.
    description: description.replaceAll(/(?<!\n)\n(?![\n-])\s*/g, ' '),
    isCompanion: described['x-companion'] === true,
    scopes: security.flatMap((one) => Object.values(one).flat()),
    hasBody: requestBody !== undefined,
    example: requestBody?.content?.['application/json']?.example ?? null,
  };
}

/** The fixtures that a path means, by the beginning of the path. The first that fits counts. */
const FIXTURES: readonly (readonly [
  RegExp,
  Readonly<Record<string, keyof WorldFixtures | undefined>>,
])[] = [
  [/^\/v1\/runs\/\{id\}\/reviews/u, { id: 'reviewedRunId' }],
  [/^\/(?:api\/)?v1\/runs\/\{id\}/u, { id: 'runId' }],
  [/^\/v1\/files\/\{id\}/u, { id: 'fileId' }],
  [/\/dataset-review-requests\//u, { id: 'reviewAutomationId', reviewId: 'openReviewId' }],
  [/\/experiments/u, { id: 'experimentAutomationId', experimentId: 'experimentId' }],
  [
    /\/expected\//u,
    { id: 'datasetAutomationId', exampleId: 'exampleId', path: 'expectedFilePath' },
  ],
  [
    /\/(?:examples|dataset)/u,
    { id: 'datasetAutomationId', exampleId: 'exampleId', path: 'inputFilePath' },
  ],
  [/^\/v1\/automations\/\{id\}/u, { id: 'workflowId' }],
];

/** Returns the path with ids of the fixtures. What no fixture has stays in braces. */
export function filledPath(path: string, fixtures: WorldFixtures): string {
  const [, members = {}] = FIXTURES.find(([pattern]) => pattern.test(path)) ?? [];
  return path.replaceAll(/\{(\w+)\}/gu, (inBraces, name: string) => {
    const member = members[name];
    const value = member === undefined ? undefined : fixtures[member];
    return value?.split('/').map(encodeURIComponent).join('/') ?? inBraces;
  });
}

/** What a call sends. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  /** Empty without a body. */
  readonly body: string;
}

/** Returns the curl command of a call. */
export function curlOf({ method, path, key, body }: Call): string {
  const lines = [
    `curl -X ${method} ${quote(location.origin + path)}`,
    `-H ${quote(`Authorization: Bearer ${key}`)}`,
    ...(body === ''
      ? []
      : [`-H ${quote('Content-Type: application/json')}`, `--data-binary ${quote(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

/** Sends a call. Resolves with the status and the text of its response. */
export async function tryCall({ method, path, key, body }: Call): Promise<{
  readonly status: number;
  readonly text: string;
}> {
  const response = await fetch(path, {
    method,
    credentials: 'omit',
    cache: 'no-store',
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === '' ? {} : { body }),
  });
  return { status: response.status, text: await response.text() };
}
