import { posix } from 'node:path';

import { listControlOperations } from '@hookproof/spec/control';
import type { ControlDocument, ControlOperation } from '@hookproof/spec/control';
import type { JsonSchema, OperationObject } from '@hookproof/spec/openapi';

import { operationText } from './operation-text.ts';
import { isInline, objectText, sharedRows, tableText } from './schema-text.ts';
import type { Lookup } from './schema-text.ts';
import { TOPICS } from './topics.ts';
import type { Topic } from './topics.ts';

const START_PAGE = 'CONTROL.md';

/** The page of a topic: its operations, and the objects that no topic before it uses. */
export function topicText(topic: Topic, document: ControlDocument): string {
  const lookup = lookupIn(document);
  const homes = homesOf(document);
  const objects = objectsOf(document).filter(([name]) => homes.get(anchorOf(name)) === topic);
  const shared = sharedRows(
    objects.map(([, schema]) => schema),
    lookup,
  );
  const text = `# Control interface: ${topic.title}

Part of the [control interface](#control-interface), whose first example sets the variables.

${operationsText(topic, document)}

## Objects

\`?\` marks a field that can be absent.

${shared.length === 0 ? '' : `### Common fields\n\nSeveral objects have these fields.\n\n${tableText(shared)}`}

${objects.map(([name, schema]) => objectText(name, schema, lookup, shared)).join('\n\n')}
`;
  const folder = posix.dirname(topic.page);
  const linked = text.replaceAll(LINK, (link, anchor: string) => {
    if (anchor === 'common-fields' || homes.get(anchor) === topic) return link;
    return `](${posix.relative(folder, homes.get(anchor)?.page ?? START_PAGE)}#${anchor})`;
  });
  return `<!-- Generated from spec/control.yaml by \`npm run generate\`. Do not edit. -->\n\n${linked}`;
}

/** A link to a section, whichever page has it. */
const LINK = /\]\(#([a-z-]+)\)/g;

/** The anchor of a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}

/** The operations of the document, in its order. */
export function operationObjects({ paths }: ControlDocument): OperationObject[] {
  return Object.values(paths).flatMap(({ get, post, patch, delete: remove }) =>
    [get, post, patch, remove].filter((operation) => operation !== undefined),
  );
}

function operationsText({ tags }: Topic, document: ControlDocument): string {
  const operations = listControlOperations(document);
  const shown = new Set<string>();
  const groups = document.tags
    .filter(({ name }) => tags.includes(name))
    .map(({ name, description }) =>
      [
        `## ${name}`,
        description,
        ...operationObjects(document)
          .filter((one) => one.tags.includes(name))
          .map((one) => operationText(find(operations, one), one, lookupIn(document), shown)),
      ].join('\n\n'),
    );
  return groups.join('\n\n');
}

/** The topic that describes each object, by its anchor: the first one that links to it. */
function homesOf(document: ControlDocument): ReadonlyMap<string, Topic> {
  const lookup = lookupIn(document);
  const texts = new Map(
    objectsOf(document).map(([name, schema]) => [
      anchorOf(name),
      objectText(name, schema, lookup, []),
    ]),
  );
  const homes = new Map<string, Topic>();
  const place = (topic: Topic, text: string): void => {
    for (const [, anchor = ''] of text.matchAll(LINK)) {
      const object = texts.get(anchor);
      if (object === undefined || homes.has(anchor)) continue;
      homes.set(anchor, topic);
      place(topic, object);
    }
  };
  for (const topic of TOPICS) place(topic, operationsText(topic, document));
  return homes;
}

function objectsOf({ components }: ControlDocument): readonly (readonly [string, JsonSchema])[] {
  return Object.entries(components.schemas).filter(([, schema]) => !isInline(schema));
}

function lookupIn({ components }: ControlDocument): Lookup {
  return (ref) => components.schemas[ref.slice(ref.lastIndexOf('/') + 1)] ?? {};
}

function find(
  operations: readonly ControlOperation[],
  { operationId }: OperationObject,
): ControlOperation {
  const found = operations.find((operation) => operation.operationId === operationId);
  if (found === undefined) throw new TypeError(`control.yaml has no operation ${operationId}`);
  return found;
}
