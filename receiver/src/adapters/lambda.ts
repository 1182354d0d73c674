import { Buffer } from 'node:buffer';

import { requireReceiver } from '../argument-checks.ts';
import type { Receiving } from '../receive/ingress.ts';
import { bodyNotBytes, requestUnexpected } from '../receive/request-body.ts';
import type { RequestBody } from '../receive/request-body.ts';

type Headers = Readonly<Record<string, string | undefined>>;
type MultiValueHeaders = Readonly<Record<string, readonly string[] | undefined>>;

/**
 * The event of a function behind API Gateway (REST or HTTP API), a function URL, or an Application
 * Load Balancer.
 */
export interface LambdaEvent {
  /** REST API and load balancer. */
  readonly httpMethod?: string;
  /** HTTP API and function URL: `http.method`. */
  readonly requestContext?: object;
  /** One value for each name; missing with multi-value headers. */
  readonly headers?: Headers | null | undefined;
  /** A list of values for each name: REST API, and load balancers that are set so. */
  readonly multiValueHeaders?: MultiValueHeaders | null | undefined;
  /** The body, in base64 if `isBase64Encoded`; `null` without one. */
  readonly body?: string | null;
  /** Whether the gateway encoded the body. */
  readonly isBase64Encoded?: boolean;
}

/** The response, in the form that all of them take. */
export interface LambdaResult {
  /** The HTTP status. */
  statusCode: number;
  /** A load balancer with multi-value headers takes `multiValueHeaders` only. */
  headers?: Record<string, string>;
  /** A list of values for each name, instead of `headers`. */
  multiValueHeaders?: Record<string, string[]>;
  /** The body of the response. */
  body: string;
  /** Always false. */
  isBase64Encoded: boolean;
}

/** A handler of AWS Lambda. */
export type LambdaHandler = (event: LambdaEvent) => Promise<LambdaResult>;

// Requirements: signature.raw-bytes.
/**
 * Creates a handler for AWS Lambda behind API Gateway (REST API, HTTP API), a function URL or an
 * Application Load Balancer, with and without multi-value headers. Its receiver should only accept
 * events, because the function is frozen after the response.
 *
 * @throws {TypeError} Without a receiver.
 * @example
 * ```ts
 * import type { Receiver } from '@hookproof/receiver';
 * import { lambdaHandler } from '@hookproof/receiver/lambda';
 * import type { LambdaHandler } from '@hookproof/receiver/lambda';
 *
 * // In the module of the function: export const handler = lambdaHandler(receiver);
 * export function webhookFunction(receiver: Receiver): LambdaHandler {
 *   return lambdaHandler(receiver);
 * }
 * ```
 */
export function lambdaHandler(receiver: Receiving): LambdaHandler {
  requireReceiver(receiver);
  return async function hookproofHandler(event) {
    const given = event ?? {};
    const { multiValueHeaders, headers } = given;
    const method = methodOf(given);
    const body = method === null ? requestUnexpected(adviceFor(given)) : bodyOf(given);
    const result = await receiver.receive({
      method: method ?? '',
      headers: multiValueHeaders ?? headers ?? {},
      body,
    });
    const { connection: _connection, 'content-length': _length, ...sent } = result.headers;
    const isMultiValue = multiValueHeaders != null && headers == null;
    return {
      statusCode: result.status,
      ...(isMultiValue ? { multiValueHeaders: listed(sent) } : { headers: sent }),
      body: result.body,
      isBase64Encoded: false,
    };
  };
}

/** Returns the HTTP method; `null` for an event of another service. */
function methodOf({ httpMethod, requestContext = {} }: LambdaEvent): string | null {
  if (typeof httpMethod === 'string') return httpMethod;
  const http: unknown = 'http' in requestContext ? requestContext.http : undefined;
  const method = typeof http === 'object' && http !== null && 'method' in http ? http.method : null;
  return typeof method === 'string' ? method : null;
}

function adviceFor(event: object): string {
  const subject =
    'lambdaHandler() must get the event of API Gateway with a proxy integration, of a function URL or ' +
    'of an Application Load Balancer, got';
  if ('Records' in event) {
    return `${subject} one with Records, as of SQS or S3. For a queue use createIngress() and createProcessor().`;
  }
  const method: unknown = Reflect.get(event, 'method');
  if (typeof method === 'string') {
    return `${subject} one of VPC Lattice. Call receiver.receive({ method, headers, body }) with its bytes.`;
  }
  return `${subject} another one. Choose "Lambda proxy integration" for the route.`;
}

function bodyOf({ body, isBase64Encoded }: LambdaEvent): RequestBody {
  if (body == null) return Buffer.alloc(0);
  if (typeof body === 'string')
    return Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8');
  return bodyNotBytes('an event whose body a middleware parsed (such as http-json-body-parser)');
}

function listed(headers: Readonly<Record<string, string>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
}
