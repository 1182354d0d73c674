import type { IncomingMessage } from 'node:http';

import { knownOptions, requireReceiver } from '../argument-checks.ts';
import type { Receiving } from '../receive/ingress.ts';
import { bodyOf, headersOf, requirePath } from './node-exchange.ts';

/** The parts of a Fastify request that the plugin uses. */
export interface FastifyPluginRequest {
  readonly raw: IncomingMessage;
}

/** The parts of a Fastify reply that the plugin uses. */
export interface FastifyPluginReply {
  code(status: number): unknown;
  headers(headers: Record<string, string>): unknown;
  send(body: string): unknown;
}

/** The parts of a Fastify instance that the plugin uses. */
export interface FastifyScope {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    contentType: string,
    parser: (
      request: unknown,
      payload: unknown,
      done: (error: null, body?: unknown) => void,
    ) => void,
  ): unknown;
  all(
    path: string,
    handler: (request: FastifyPluginRequest, reply: FastifyPluginReply) => Promise<unknown>,
  ): unknown;
}

export interface FastifyPluginOptions {
  /**
   * The path of the webhook, such as `/hooks`, below the prefix of the scope. Fastify ignores a slash at the
   * end only with its option `ignoreTrailingSlash`.
   */
  readonly path: string;
}

const FIX =
  'Another plugin reads the stream, for instance in a preParsing hook. Exclude the path of the webhook there.';

/**
 * Creates a plugin for Fastify 5 that responds on one path. It has its own scope, so the body parsers
 * of the app neither see the webhook nor change.
 *
 * Requirements: `signature.raw-bytes`.
 *
 * @throws {TypeError} When `path` does not start with `/`, for another option, or without a receiver.
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
): (scope: FastifyScope) => Promise<void> {
  requireReceiver(receiver);
  knownOptions(options, ['path']);
  const { path } = options;
  requirePath(path);
  return async function hookproofPlugin(scope) {
    scope.removeAllContentTypeParsers();
    // Leaves the stream unread, of any type.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.all(path, async ({ raw }, reply) => {
      const body = bodyOf(raw, {}, FIX);
      const result = await receiver.receive({ method: raw.method ?? '', headers: raw, body });
      reply.code(result.status);
      reply.headers(headersOf(result, raw.httpVersionMajor));
      return reply.send(result.body);
    });
  };
}
