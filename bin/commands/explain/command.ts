import type { KnownSender } from '@hookproof/receiver/explain';
import { Argument, Option } from 'commander';
import type { Command } from 'commander';

import { UsageError } from '../../command-line/errors.ts';
import { openScreen } from '../../command-line/screen.ts';
import type { Screen } from '../../command-line/screen.ts';
import { readDelivery } from '../../saved/delivery-folder.ts';
import { explainSaved, titleOf } from './explained.ts';
import type { Explained } from './explained.ts';
import { explainServerDelivery } from './server-delivery.ts';

const EXAMPLES = `
The first secret is that of your app. Add the secrets of other endpoints to see
whether one of them fits. Stripe and GitHub are known by their headers; for
another sender of Standard Webhooks, add --sender standard-webhooks.

Exit codes: 0 valid, 1 invalid with its cause, 2 usage.

Examples:
  $ hookproof listen --save ./deliveries         saves each delivery in a folder
  $ hookproof explain ./deliveries/0001-whev_1   why is this one refused?
  $ hookproof explain --delivery last            what hookproof serve sent last`;

const SENDERS: readonly KnownSender[] = ['platform', 'stripe', 'github', 'standard-webhooks'];

interface ExplainOptions {
  readonly delivery?: string;
  readonly secret?: readonly string[];
  readonly sender?: KnownSender;
  readonly json?: true;
}

/** The secrets may be malformed, as they are where the app reads them. */
function givenSecrets(secret: string, before: readonly string[] = []): string[] {
  return [...before, secret];
}

/** Adds `hookproof explain`, which says why the signature of a delivery is refused. */
export function addExplain(program: Command): void {
  const command = program
    .command('explain')
    .description('Says why a delivery is refused: cause, evidence and fix.')
    .addArgument(new Argument('[folder]', 'a delivery that hookproof listen --save wrote'))
    .addOption(new Option('--delivery <id>', 'a delivery of the running server, or last'))
    .addOption(
      new Option('--secret <secret>', 'secret of your app, or WEBHOOK_SECRET; repeatable')
        .env('WEBHOOK_SECRET')
        .argParser(givenSecrets),
    )
    .addOption(
      new Option(
        '--sender <name>',
        'whose delivery a folder has (default: by its headers)',
      ).choices(SENDERS),
    )
    .addOption(new Option('--json', 'print the result as one line of JSON'))
    .addHelpText('after', EXAMPLES)
    .action(async (folder?: string) => {
      const options = command.opts<ExplainOptions>();
      const explained = await explain(folder, options);
      const screen = openScreen();
      if (options.json === true) screen.print(JSON.stringify(explained));
      else for (const line of linesOf(explained, screen)) screen.print(line);
      process.exitCode = explained.valid ? 0 : 1;
    });
}

async function explain(
  folder: string | undefined,
  { delivery, secret = [], sender }: ExplainOptions,
): Promise<Explained> {
  if ((folder === undefined) === (delivery === undefined)) {
    throw new UsageError(
      `explain takes one delivery, got ${folder === undefined ? 'none' : 'two'}. Name a folder, or add --delivery last.`,
    );
  }
  if (folder === undefined && sender !== undefined) {
    throw new UsageError(
      '--sender must be given with a folder, got --delivery. Leave it out: the server sends as the platform.',
    );
  }
  if (folder === undefined) return explainServerDelivery(delivery ?? 'last', secret);
  const saved = readDelivery(folder);
  const [own, ...more] = secret;
  if (own === undefined || own === '') {
    throw new UsageError(
      'explain compares the secret of your app. Add --secret, or set WEBHOOK_SECRET.',
    );
  }
  const others = Object.fromEntries(more.map((one, index) => [`--secret ${index + 2}`, one]));
  return explainSaved(saved, { own, others }, sender);
}

function linesOf(explained: Explained, { paint }: Screen): string[] {
  const { valid, cause, evidence, fix, frameworks } = explained;
  const paintCause = valid ? paint.green : paint.red;
  return [
    `${paintCause(cause)}: ${titleOf(cause)}`,
    ...evidence.map((fact) => `  ${fact}`),
    `${paint.bold('Fix:')} ${fix}`,
    ...frameworks.map((line) => `  ${paint.dim(line)}`),
  ];
}
