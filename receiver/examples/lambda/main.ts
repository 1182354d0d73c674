import { createReceiver } from '@hookproof/receiver';
import { lambdaHandler } from '@hookproof/receiver/lambda';
import type { LambdaHandler } from '@hookproof/receiver/lambda';
import { sqliteStore } from '@hookproof/receiver/sqlite';

/**
 * A function of AWS Lambda behind API Gateway, a function URL or a load balancer. It only accepts
 * events, because AWS freezes it after each response. A second program with the same store handles
 * them: `start({ work: false })`, then `work({ until })`, for instance every minute. Environment:
 *
 * - WEBHOOK_SECRET: the secret of the webhook endpoint (whsec_…).
 * - DATABASE_FILE: the SQLite file. On AWS use postgresStore(), which functions share.
 */
const receiver = createReceiver({
  secrets: process.env['WEBHOOK_SECRET'] ?? '',
  store: sqliteStore({ file: process.env['DATABASE_FILE'] ?? 'events.db' }),
  onError: console.error,
});
await receiver.start({ work: false });

export const handler: LambdaHandler = lambdaHandler(receiver);
