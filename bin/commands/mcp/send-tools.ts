import { SCENARIOS } from '@hookproof/spec/scenarios';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

import { attemptJson } from '../../running/attempt-line.ts';
import { runningControl } from '../../running/running-control.ts';
import { watchAttempts } from '../../running/watch-attempts.ts';
import { moveClock } from '../clock.ts';
import type { TriggerOptions } from '../trigger/options.ts';
import { resultJson } from '../trigger/report.ts';
import { sendRound } from '../trigger/round.ts';
import { targetOf } from '../trigger/target.ts';
import { answer } from './answer.ts';

const CHANGES = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

const [FIRST, ...OTHERS] = SCENARIOS.map(({ name }) => name);
const SCENARIO_LIST = SCENARIOS.map(({ name, does }) => `${name}: ${does}`).join('; ');

/** Adds the tools that make the running server send: a scenario, or what is due later. */
export function addSendTools(server: McpServer): void {
  server.registerTool(
    'trigger',
    {
      description: `Sends the events of a run, or faulty ones, to the app through the running local platform, and returns each attempt with the response of the app. Scenarios: ${SCENARIO_LIST}.`,
      inputSchema: z.strictObject({
        scenario: z.enum([FIRST ?? 'completed', ...OTHERS]).default('completed'),
        expect: z
          .string()
          .regex(/^([1-5]xx|[1-5][0-9]{2})$/)
          .optional()
          .describe('The response that counts as right: 2xx, 401. Default: that of the scenario'),
      }),
      annotations: CHANGES,
    },
    (input) => answer(() => send(input)),
  );
  server.registerTool(
    'advance_clock',
    {
      description:
        'Advances the virtual clock of the running local platform, so that retries and status changes happen that are due until then. Without an argument, it only reads the clock. The platform must run with --clock virtual.',
      inputSchema: z.strictObject({
        by: z
          .string()
          .optional()
          .describe('A duration such as 30s, 1h30m or 3d; or next, the next thing that is due'),
      }),
      annotations: CHANGES,
    },
    ({ by }) =>
      answer(() => (by === undefined || by === 'next' ? moveClock(by) : moveClock(`+${by}`))),
  );
}

interface Sent {
  readonly scenario: string;
  readonly expect?: string | undefined;
}

async function send({ scenario: name, expect }: Sent): Promise<object> {
  const scenario = SCENARIOS.find((one) => one.name === name);
  if (scenario === undefined) throw new TypeError(`scenario must be a known one, got ${name}.`);
  const options: TriggerOptions = {
    times: 1,
    ...(expect === undefined ? {} : { expect }),
  };
  const target = await targetOf(
    await runningControl('Start one with hookproof serve --forward-to URL.'),
  );
  const watched = await watchAttempts(target, () => {});
  try {
    const round = await sendRound(scenario, undefined, target, watched, options);
    const { goesOn, deliveries } = round;
    return {
      ...resultJson(scenario, round, expect ?? scenario.expects),
      retries: goesOn,
      attempts: deliveries.flatMap(({ attempts }) => attempts.map(attemptJson)),
    };
  } finally {
    watched.close();
  }
}
