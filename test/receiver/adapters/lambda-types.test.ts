import { lambdaHandler } from '@hookproof/receiver/lambda';
import type {
  ALBHandler,
  APIGatewayProxyHandler,
  APIGatewayProxyHandlerV2,
  LambdaFunctionURLHandler,
} from 'aws-lambda';
import { expect, it } from 'vitest';

import { startedReceiver } from '../started-receiver.ts';

it('lambdaHandler has the types of AWS for each source of events', async () => {
  const handler = lambdaHandler((await startedReceiver()).receiver);
  const rest: APIGatewayProxyHandler = handler;
  const http: APIGatewayProxyHandlerV2 = handler;
  const url: LambdaFunctionURLHandler = handler;
  const balancer: ALBHandler = handler;
  expect(new Set([rest, http, url, balancer])).toEqual(new Set([handler]));
});
