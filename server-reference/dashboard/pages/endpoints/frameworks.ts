/** The lines of a framework that receive the events. */
interface Framework {
  readonly name: string;
  readonly imports: readonly string[];
  readonly lines: readonly string[];
}

const NODE_HANDLER = "import { nodeHandler } from '@hookproof/receiver/node';";
const FETCH_HANDLER = "import { fetchHandler } from '@hookproof/receiver/fetch';";

const FRAMEWORKS: readonly Framework[] = [
  {
    name: 'Express',
    imports: [NODE_HANDLER, "import express from 'express';"],
    lines: [
      'const app = express();',
      "app.use('/hooks', nodeHandler(receiver)); // before express.json()",
      'app.listen(3000);',
    ],
  },
  {
    name: 'Fastify',
    imports: [
      "import { fastifyPlugin } from '@hookproof/receiver/fastify';",
      "import Fastify from 'fastify';",
    ],
    lines: [
      'const app = Fastify();',
      "await app.register(fastifyPlugin(receiver, { path: '/hooks' }));",
      'await app.listen({ port: 3000 });',
    ],
  },
  {
    name: 'Hono',
    imports: [
      FETCH_HANDLER,
      "import { serve } from '@hono/node-server';",
      "import { Hono } from 'hono';",
    ],
    lines: [
      'const app = new Hono();',
      "app.mount('/hooks', fetchHandler(receiver));",
      'serve({ fetch: app.fetch, port: 3000 });',
    ],
  },
  {
    name: 'Next',
    imports: [FETCH_HANDLER],
    lines: [
      '// app/hooks/route.ts',
      "export const runtime = 'nodejs';",
      'export const POST = fetchHandler(receiver);',
    ],
  },
  {
    name: 'Node',
    imports: ["import { createServer } from 'node:http';", NODE_HANDLER],
    lines: ["createServer(nodeHandler(receiver, { path: '/hooks' })).listen(3000);"],
  },
];

/** The names of the frameworks, in the order of the tabs. */
export const FRAMEWORK_NAMES: readonly string[] = FRAMEWORKS.map(({ name }) => name);

/** Returns an app for a framework that receives the events of an endpoint. */
export function snippetOf(framework: string, secret: string): string {
  const { imports, lines } = FRAMEWORKS.find(({ name }) => name === framework) ?? {
    imports: [],
    lines: [],
  };
  return [
    ...imports,
    "import { createReceiver } from '@hookproof/receiver';",
    "import { sqliteStore } from '@hookproof/receiver/sqlite';",
    '',
    'const receiver = createReceiver({',
    `  secrets: ${literal(secret)},`,
    "  store: sqliteStore({ file: 'events.db' }),",
    "  mode: 'ordered',",
    '  handlers: { completed: ({ data }) => console.log(data.run.id, data.run.output) },',
    '  onError: console.error,',
    '});',
    'await receiver.start();',
    '',
    ...lines,
    '',
  ].join('\n');
}

/** Returns a text as a string of JavaScript. */
function literal(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
