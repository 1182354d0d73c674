import type { IncomingMessage } from 'node:http';

import { knownOptions, requireReceiver } from '../argument-checks.ts';
import { MISDIRECTED } from '../receive/ingress.ts';
import type { Receiving } from '../receive/ingress.ts';
import { bodyOf, headersOf, isDelivery, requirePath, withoutSlash } from './node-exchange.ts';

/** The parts of a Fastify request that the plugin uses. */
export interface FastifyPluginRequest {
  /** The request of `node:http`. */
  readonly raw: IncomingMessage;
}

/** The parts of a Fastify reply that the plugin uses. */
export interface FastifyPluginReply {
  /** The status that is set. Default of Fastify: 200. */
  readonly statusCode: number;
  /** Sets the status. */
  code(status: number): unknown;
  /** Sets response headers. */
  headers(headers: Record<string, string>): unknown;
  /** Ends the response. */
  send(body: string): unknown;
}

/** The parts of a Fastify instance that the plugin uses. */
export interface FastifyScope {
  /** Removes the body parsers of this scope, so that none reads the webhook first. */
  removeAllContentTypeParsers(): unknown;
  /** Adds a parser, which leaves the stream of the body unread. */
  addContentTypeParser(
    contentType: string,
    parser: (
      request: unknown,
      payload: unknown,
      done: (error: null, body?: unknown) => void,
    ) => void,
  ): unknown;
  /** Adds the route of the webhook, for every method. */
  all(
    path: string,
    handler: (request: FastifyPluginRequest, reply: FastifyPluginReply) => Promise<unknown>,
  ): unknown;
  /** The options with which the app created its instance. */
  readonly initialConfig: {
    /** True when the app treats `/hooks/` as `/hooks`: then one route is enough. */
    readonly ignoreTrailingSlash?: boolean | undefined;
    /** The same option, where Fastify 5 has it too. */
    readonly routerOptions?: { readonly ignoreTrailingSlash?: boolean | undefined } | undefined;
  };
  /** Calls a function after each response of the scope, to report deliveries that got 404. */
  addHook(
    name: 'onResponse',
    hook: (request: FastifyPluginRequest, reply: FastifyPluginReply) => Promise<void>,
  ): unknown;
  /** Adds a scope of its own for the webhook. */
  register(
    // oxlint-disable-next-line typescript/no-explicit-any -- Fastify gives it an instance of another generic type
    plugin: (scope: any) => Promise<void>,
    options: {
      /** What the paths of the scope begin with. */
      readonly prefix: string;
    },
  ): unknown;
}

export interface FastifyPluginOptions {
  /**
   * The path of the webhook, such as `/hooks`, below the prefix of the scope; one slash at the end
   * is ignored.
   */
  readonly path: string;
}

const FIX =
  'Another plugin reads the stream, for instance in a preParsing hook. Exclude the path of the webhook there.';

// Requirements: signature.raw-bytes.
/**
 * Creates a plugin for Fastify 5 that responds on one path. It has its own scope, so the body
 * parsers of the app neither see the webhook nor change. A delivery that gets 404 elsewhere in the
 * scope in which it is registered is reported as `path_unexpected`.
 *
 * @throws {TypeError} When `path` does not start with `/`, for another option, or without a
 *   receiver.
 * @example
 * ```ts
 * import Fastify from 'fastify';
 * import type { Receiver } from '@hookproof/receiver';
 * import { fastifyPlugin } from '@hookproof/receiver/fastify';
 *
 * export async function listen(receiver: Receiver): Promise<void> {
 *   const app = Fastify();
 *   await app.register(fastifyPlugin(receiver, { path: '/hooks' }));
 *   await app.listen({ port: 3000 });
 * }
 * ```
 */
export function fastifyPlugin(
  receiver: Receiving,
  options: FastifyPluginOptions,
): (
  scope: FastifyScope,
  options?: {
    /** What the paths of the scope begin with. Fastify passes it. */
    readonly prefix?: string;
  },
) => Promise<void> {
  requireReceiver(receiver);
  knownOptions(options, ['path']);
  const { path } = options;
  requirePath(path);
  const respond = async (
    { raw }: FastifyPluginRequest,
    reply: FastifyPluginReply,
  ): Promise<unknown> => {
    const body = bodyOf(raw, {}, FIX);
    const result = await receiver.receive({ method: raw.method ?? '', headers: raw, body });
    reply.code(result.status);
    reply.headers(headersOf(result, raw.httpVersionMajor));
    return reply.send(result.body);
  };
  const hookproofRoutes = async (scope: FastifyScope): Promise<void> => {
    scope.removeAllContentTypeParsers();
    // Leaves the stream unread, of any type.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const each of pathsOf(path, scope)) scope.all(each, respond);
  };
  const hookproofPlugin = async (scope: FastifyScope, { prefix = '' } = {}): Promise<void> => {
    scope.addHook('onResponse', async ({ raw }, { statusCode }) => {
      if (isDelivery(raw, receiver) && statusCode === 404)
        receiver[MISDIRECTED]?.(raw.url ?? '', path);
    });
    scope.register(hookproofRoutes, { prefix });
  };
  // In a scope of its own it would not see the other paths of the app.
  return Object.assign(hookproofPlugin, { [Symbol.for('skip-override')]: true });
}

/** Returns the path with and without a slash at the end, unless Fastify adds the other one. */
function pathsOf(path: string, { initialConfig }: FastifyScope): readonly string[] {
  const { ignoreTrailingSlash, routerOptions } = initialConfig;
  const isAdded = ignoreTrailingSlash === true || routerOptions?.ignoreTrailingSlash === true;
  if (isAdded || path === '/') return [path];
  const bare = withoutSlash(path);
  return [bare, `${bare}/`];
}
