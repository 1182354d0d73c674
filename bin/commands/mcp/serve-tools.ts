import { once } from 'node:events';

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

import { addCheckTools } from './check-tools.ts';
import { addDeliveryTools } from './delivery-tools.ts';
import { addSendTools } from './send-tools.ts';

const INSTRUCTIONS =
  'Tools for a webhook receiver under development. They use the local platform that `hookproof serve --forward-to URL` runs. ' +
  'Send events with trigger, read what the app responded, and ask explain_delivery why a delivery was refused. ' +
  'After a fix, use redeliver. run_checks tests the platform, or a receiver, against every rule of the contract.';

/** Serves the tools over standard input and output until the client closes its end. */
export async function serveTools(version: string): Promise<void> {
  const server = new McpServer({ name: 'hookproof', version }, { instructions: INSTRUCTIONS });
  addDeliveryTools(server);
  addSendTools(server);
  addCheckTools(server);
  const ended = once(process.stdin, 'end');
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
}
