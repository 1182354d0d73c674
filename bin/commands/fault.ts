import { DELIVERY_FAULT_NAMES } from '@hookproof/spec/control';
import { Option } from 'commander';
import type { Command } from 'commander';

import { integer } from '../command-line/arguments.ts';
import { UsageError } from '../command-line/errors.ts';
import { openScreen } from '../command-line/screen.ts';
import { runningControl } from '../running/running-control.ts';

const NAMES = [DELIVERY_FAULT_NAMES.slice(0, 5), DELIVERY_FAULT_NAMES.slice(5)]
  .map((names) => names.join(', '))
  .join(',\n');

const EXAMPLES = `
A status or reset is a fault of the API: the next requests get it. A name is a
fault of deliveries: the next webhooks have it. The names:
${NAMES}.

Examples:
  $ hookproof fault 503 --times 2         the next two requests get 503
  $ hookproof fault 429 --retry-after 7 --operation listTemplates
  $ hookproof fault reset                 the next connection is cut
  $ hookproof fault wrong-secret          the next webhook is signed wrongly
  $ hookproof fault none                  remove all faults`;

interface FaultOptions {
  readonly times: number;
  readonly retryAfter?: number;
  readonly operation?: string;
  readonly json?: true;
}

/** Adds `hookproof fault`, which makes the running server fail. */
export function addFault(program: Command): void {
  const command = program
    .command('fault')
    .description('Makes the next requests or webhooks of the running server fail.')
    .argument('<fault>', 'a status such as 503, reset, a name, or none')
    .addOption(
      new Option('--times <number>', 'how often (default: 1)')
        .default(1)
        .argParser(integer(1, 1_000_000)),
    )
    .addOption(
      new Option('--retry-after <seconds>', 'Retry-After of the response').argParser(
        integer(0, 86_400),
      ),
    )
    .addOption(new Option('--operation <id>', 'only this operation, such as listTemplates'))
    .addOption(new Option('--json', 'print a line of JSON'))
    .addHelpText('after', EXAMPLES)
    .action(async (fault: string) => {
      const options = command.opts<FaultOptions>();
      const screen = openScreen();
      const { said, injected } = await inject(fault, options);
      screen.print(options.json === true ? JSON.stringify(injected) : said);
    });
}

async function inject(
  fault: string,
  { times, retryAfter, operation }: FaultOptions,
): Promise<{ said: string; injected: object }> {
  const order = orderOf(fault, times, retryAfter, operation);
  const { control, baseUrl } = await runningControl('Start one with hookproof serve.');
  if (order === null) {
    await control('DELETE', '/faults');
    return { said: `${baseUrl} has no faults.`, injected: { baseUrl, faults: [] } };
  }
  const injected = await control<object>('POST', order.path, order.body);
  const next = times === 1 ? 'The next' : `The next ${times}`;
  const what = order.path === '/api-faults' ? requestsOf(operation) : 'webhook';
  const many = times === 1 ? what : `${what}s`;
  return { said: `${next} ${many} of ${baseUrl}: ${fault}.`, injected };
}

function requestsOf(operation: string | undefined): string {
  return operation === undefined ? 'request' : `${operation} request`;
}

interface Order {
  readonly path: string;
  readonly body: object;
}

/** Returns what to inject; null to remove all faults. */
function orderOf(
  fault: string,
  times: number,
  retryAfter: number | undefined,
  operation: string | undefined,
): Order | null {
  if (fault === 'none') return null;
  const match = operation === undefined ? {} : { operationId: operation };
  if (fault === 'reset') {
    return { path: '/api-faults', body: { match, times, effect: { reset: true } } };
  }
  if (/^[45][0-9]{2}$/.test(fault)) {
    const wait = retryAfter === undefined ? {} : { retryAfter };
    const effect = { status: Number(fault), ...wait };
    return { path: '/api-faults', body: { match, times, effect } };
  }
  if (!DELIVERY_FAULT_NAMES.some((name) => name === fault)) {
    throw new UsageError(
      `fault must be a status such as 503, reset, none, or one of ${DELIVERY_FAULT_NAMES.join(', ')}, got ${fault}.`,
    );
  }
  if (retryAfter !== undefined || operation !== undefined) {
    throw new UsageError(
      `--${operation === undefined ? 'retry-after' : 'operation'} is for faults of the API, but ${fault} is one of deliveries. Leave it out.`,
    );
  }
  return { path: '/delivery-faults', body: { name: fault, deliveries: times } };
}
