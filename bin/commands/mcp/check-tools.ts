import { renderJson, renderTerminal } from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { Command } from 'commander';
import { z } from 'zod';

import { UsageError } from '../../command-line/errors.ts';
import { openScreen } from '../../command-line/screen.ts';
import { runningControl } from '../../running/running-control.ts';
import { openBaseline } from '../check/baseline.ts';
import { requireKnownIds } from '../check/known-ids.ts';
import { checkOptions } from '../check/options/all.ts';
import type { CheckOptions } from '../check/options/all.ts';
import { runSuite } from '../check/run-suite.ts';
import { withRunningServer } from '../check/running-server.ts';
import { interruptible } from '../check/safety/interruption.ts';
import { answer } from './answer.ts';

type Call = RequestHandlerExtra<ServerRequest, ServerNotification>;

const INPUT = z.strictObject({
  receiver: z
    .string()
    .optional()
    .describe(
      'URL of a webhook receiver to check, instead of the running local platform. Its secret is WEBHOOK_SECRET',
    ),
  secret: z.string().optional().describe('Secret of the receiver, instead of WEBHOOK_SECRET'),
  only: z
    .array(z.string())
    .optional()
    .describe(
      'IDs of checks or their beginnings: api.file, receiver. With - before it: all others',
    ),
  sender: z.boolean().optional().describe('Also check the webhook sender; needs allowWrites'),
  allowWrites: z
    .boolean()
    .optional()
    .describe('Allow checks that create and change. Default: read'),
});

interface Input {
  readonly receiver?: string | undefined;
  readonly secret?: string | undefined;
  readonly only?: readonly string[] | undefined;
  readonly sender?: boolean | undefined;
  readonly allowWrites?: boolean | undefined;
}

/** Adds the tools that run the conformance suite, and that read its last report whole. */
export function addCheckTools(server: McpServer): void {
  let last: Report | null = null;
  server.registerTool(
    'run_checks',
    {
      description:
        'Runs the conformance suite against the running local platform, or against a webhook receiver, and returns the summary and each failure. read_report has the rest.',
      inputSchema: INPUT,
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    (input, call) =>
      answer(async () => {
        last = await checked(input, call);
        return renderTerminal(last);
      }),
  );
  server.registerTool(
    'read_report',
    {
      description: 'Returns the last report of run_checks whole, or one check of it, as JSON.',
      inputSchema: z.strictObject({
        check: z.string().optional().describe('ID of a check, such as api.file.asked-for'),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ check }) => answer(async () => partOf(last, check)),
  );
}

function partOf(report: Report | null, id: string | undefined): object | string {
  if (report === null) throw new UsageError('There is no report yet. Call run_checks first.');
  if (id === undefined) return renderJson(report);
  const check = report.checks.find((one) => one.id === id);
  if (check !== undefined) return check;
  throw new UsageError(
    `check must be the ID of a check of the last run, got ${id}. Leave it out to read all.`,
  );
}

async function checked(input: Input, { signal, sendNotification, _meta }: Call): Promise<Report> {
  const command = commandWith(input);
  const given = command.opts<CheckOptions>();
  requireKnownIds(given.only);
  if (input.allowWrites === true && given.baseUrl !== undefined) {
    throw new UsageError(
      `allowWrites must be left out for a deployment, got ${given.baseUrl}. A person can run hookproof check --allow-writes.`,
    );
  }
  const screen = openScreen();
  const options = await withRunningServer(given, screen, process.env);
  const { baseUrl, receiver } = options;
  if (baseUrl === undefined && receiver === undefined) {
    await runningControl('Start one with hookproof serve, or name a receiver.');
  }
  const accept = openBaseline(options, screen);
  const token = _meta?.progressToken;
  return interruptible(process, screen, async (interrupted) =>
    accept(
      await runSuite(command, options, {
        signal: AbortSignal.any([signal, interrupted]),
        onNotice: (text) => screen.log(text),
        onProgress({ done: progress, total, check: message }) {
          if (token === undefined) return;
          const params = { progressToken: token, progress, total, message };
          // A client that is gone aborts the run by the signal.
          sendNotification({ method: 'notifications/progress', params }).catch(() => {});
        },
      }),
    ),
  );
}

/** Parses the arguments of a call as those of `hookproof check`, with its environment. */
function commandWith(input: Input): Command {
  const command = new Command('check')
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} });
  for (const option of checkOptions()) command.addOption(option);
  const { receiver, secret, only = [], sender, allowWrites } = input;
  const words = [
    ...(receiver === undefined ? [] : [`--receiver=${receiver}`]),
    ...(secret === undefined ? [] : [`--secret=${secret}`]),
    ...only.map((id) => `--only=${id}`),
    ...(sender === true ? ['--sender'] : []),
    ...(allowWrites === true ? ['--allow-writes'] : []),
  ];
  command.parse(words, { from: 'user' });
  return command;
}
