import type { HttpExchange } from '../../http/exchange.ts';
import type { Reproduction } from '../model.ts';

const TOKEN = `-H 'authorization: Bearer '"$HOOKPROOF_CONTROL_TOKEN" -H 'content-type: application/json'`;

/** Lines that make a new world send events to a listener of the reader's own. */
export function senderCommands(controlUrl: string): readonly string[] {
  const post = (path: string, body: string): string =>
    `-X POST '${controlUrl}${path} ${TOKEN} --data-binary ${body}`;
  return [
    `HOOKPROOF_WORLD="$(curl -sS ${post(`/worlds'`, `'{}'`)})"`,
    `HOOKPROOF_WORLD_ID=${take('.id', 'HOOKPROOF_WORLD')}`,
    `HOOKPROOF_WORKFLOW_ID=${take('.fixtures.workflowId', 'HOOKPROOF_WORLD')}`,
    `curl -i ${post(`/webhook-endpoints'`, `'{"worldId":"'"$HOOKPROOF_WORLD_ID"'","url":"'"$HOOKPROOF_LISTENER"'"}'`)}`,
    `HOOKPROOF_RUN="$(curl -sS ${post(`/runs'`, `'{"worldId":"'"$HOOKPROOF_WORLD_ID"'","automationId":"'"$HOOKPROOF_WORKFLOW_ID"'"}'`)})"`,
    `HOOKPROOF_RUN_ID=${take('.id', 'HOOKPROOF_RUN')}`,
    `curl -i ${post(`/runs/'"$HOOKPROOF_RUN_ID"'/moves'`, `'{"status":"running"}'`)}`,
  ];
}

/** A member of a response that is in a variable. */
function take(path: string, variable: string): string {
  return `"$(node -p 'JSON.parse(process.argv[1])${path}' "$${variable}")"`;
}

/** The same in words, for a sender without a control interface. */
export function senderWords(exchange: HttpExchange | null): Reproduction {
  const status = exchange?.response?.status;
  const response = status === undefined ? '' : ` that responds with ${status}`;
  return {
    commands: [],
    note: `Register a webhook endpoint of your own${response}, start a run, let its status change, and look at what arrives.`,
  };
}
