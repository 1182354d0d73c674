/** How to get the bytes as received, by framework. */
const FIXES: readonly (readonly [framework: string, code: string])[] = [
  [
    'Express',
    "app.post('/webhooks', express.raw({ type: '*/*' }), handler), before express.json()",
  ],
  [
    'Fastify',
    "removeAllContentTypeParsers() and addContentTypeParser('*', { parseAs: 'buffer' }, …)",
  ],
  ['Koa', 'no koa-bodyparser on this route; read ctx.req'],
  ['Hono', 'await c.req.arrayBuffer(), never c.req.json()'],
  ['Next.js', 'await request.arrayBuffer() in a route handler; in pages/api: bodyParser: false'],
  ['NestJS', 'NestFactory.create(AppModule, { rawBody: true }), then request.rawBody'],
  ['Lambda', "Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8')"],
  ['Flask', 'request.get_data(), before request.json'],
  ['Django', 'request.body'],
  ['FastAPI', 'await request.body()'],
];

/** Returns how to get the bytes as received, one line for each framework, if the cause is a changed body. */
export function frameworkFixes(cause: string): string[] {
  if (!cause.startsWith('body_') || cause === 'body_form_encoded') return [];
  const width = Math.max(...FIXES.map(([framework]) => framework.length));
  return FIXES.map(([framework, code]) => `${framework.padEnd(width)}  ${code}`);
}
