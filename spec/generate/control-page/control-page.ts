import { listControlOperations } from '@hookproof/spec/control';
import type { ControlDocument, ControlOperation } from '@hookproof/spec/control';
import { format } from 'prettier';

import { controlJson } from '../types/documents.ts';
import type { Step } from '../types/step.ts';
import { cell } from './schema-text.ts';
import { anchorOf, operationObjects, topicText } from './topic-page.ts';
import { TOPICS } from './topics.ts';

/** The start page of the control interface, from `control.yaml`: examples, conventions, errors and all operations. */
const startPage: Step = {
  output: '../server-reference/CONTROL.md',
  async render(specFolder) {
    const document: ControlDocument = JSON.parse(await controlJson.render(specFolder));
    return format(startText(document), { parser: 'markdown' });
  },
};

/** The pages of the control interface: a start page, and one for each topic with its operations and objects. */
export const controlPages: readonly Step[] = [
  startPage,
  ...TOPICS.map((topic) => ({
    output: `../server-reference/${topic.page}`,
    async render(specFolder: URL) {
      const document: ControlDocument = JSON.parse(await controlJson.render(specFolder));
      return format(topicText(topic, document), { parser: 'markdown' });
    },
  })),
];

function startText(document: ControlDocument): string {
  const operations = listControlOperations(document);
  const rows = TOPICS.map(({ title, page, tags }) => {
    const links = operationObjects(document)
      .filter((one) => one.tags.some((tag) => tags.includes(tag)))
      .map(({ summary }) => `  - [${summary}](${page}#${anchorOf(summary)})`);
    return [`- [${title}](${page})`, ...links].join('\n');
  });
  return `<!-- Generated from spec/control.yaml by \`npm run generate\`. Do not edit. -->

# Control interface

Makes runs happen, shows deliveries and redelivers them, injects faults and moves the clock, over HTTP. It is not part of the
platform's contract. The commands of \`hookproof\` and the dashboard use it; [BEHAVIOR.md](BEHAVIOR.md) describes what the
reference server does beyond it.

## The five most common things

Type these lines first. The variables are those that \`hookproof serve --verbose\` prints; \`id\` reads the id in a response.

\`\`\`sh
CONTROL=$HOOKPROOF_CONTROL_URL
TOKEN="Authorization: Bearer $HOOKPROOF_CONTROL_TOKEN"
JSON='Content-Type: application/json'
id() { node -pe 'const body = JSON.parse(fs.readFileSync(0)); (body.data ?? [body])[0].id ?? body.requestId'; }
\`\`\`

Send webhooks somewhere, and start a run:

\`\`\`sh
curl -X POST -H "$TOKEN" -H "$JSON" -d '{"url":"http://localhost:3000/"}' $CONTROL/webhook-endpoints
curl -X POST -H "$TOKEN" -H "$JSON" -d '{}' $CONTROL/runs
\`\`\`

Show the newest deliveries, with every attempt and response:

\`\`\`sh
curl -H "$TOKEN" "$CONTROL/deliveries?order=newest&limit=5"
\`\`\`

Send the last one again:

\`\`\`sh
DELIVERY_ID=$(curl -sS -H "$TOKEN" "$CONTROL/deliveries?order=newest&limit=1" | id)
curl -X POST -H "$TOKEN" -H "$JSON" -d '{}' $CONTROL/deliveries/$DELIVERY_ID/redeliver
\`\`\`

Make the next delivery arrive twice, and the next API request fail:

\`\`\`sh
curl -X POST -H "$TOKEN" -H "$JSON" -d '{"name":"duplicate","deliveries":1}' $CONTROL/delivery-faults
curl -X POST -H "$TOKEN" -H "$JSON" -d '{"match":{},"effect":{"status":503},"times":1}' $CONTROL/api-faults
\`\`\`

Advance a virtual clock by an hour, so that everything happens that is due until then:

\`\`\`sh
curl -X POST -H "$TOKEN" -H "$JSON" -d '{"milliseconds":3600000}' $CONTROL/clock/advance
\`\`\`

## Reference

The same as an OpenAPI document is [\`control.yaml\`](../spec/control.yaml).

${document.info.description}
- Lists are sorted by age: \`order\` is \`oldest\` (the default) or \`newest\`. \`limit\` is 1 to 1000.
- An operation without an example is called with its method and path: \`curl -X DELETE -H "$TOKEN" $CONTROL/webhook-endpoints/$WEBHOOK_ENDPOINT_ID\`.
  The variable is that of the example before it.

${rows.join('\n')}

## Errors

Each operation names the errors that only some operations have; every operation can have the others.

| status | code | meaning |
| --- | --- | --- |
${errorRows(operations).join('\n')}
`;
}

function errorRows(operations: readonly ControlOperation[]): string[] {
  const rows = operations.flatMap(({ responses }) =>
    Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, { description, 'x-codes': codes = [] }]) => {
        const names = codes.map((name) => `\`${name}\``).join(', ');
        return `| ${status} | ${names} | ${cell(description)} |`;
      }),
  );
  return [...new Set(rows)].toSorted();
}
