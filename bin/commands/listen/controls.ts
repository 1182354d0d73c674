import { createInterface } from 'node:readline';

import { readKeys } from '../../command-line/keys.ts';
import { safeLine } from '../../command-line/visible.ts';
import { curlLine } from './curl-line.ts';
import type { ListedDelivery } from './history.ts';
import type { Session } from './session.ts';

export interface ControlOptions {
  readonly input: NodeJS.ReadStream;
  readonly session: Session;
  /** The target of the curl line. */
  readonly url: string;
  /** Whether a delivery can be redelivered. */
  readonly hasApp: boolean;
  readonly print: (line: string) => void;
  /** Called for `q` and Ctrl-C. */
  readonly stop: () => void;
}

export const KEYS = 'Keys: r redeliver, d details, c curl line, q quit. 3r redelivers delivery 3.';
/** Headers whose values give access to something. */
const CONFIDENTIAL = /^(authorization|cookie|proxy-authorization|x-api-key)$/i;
const MAX_DIGITS = 9;

/** Reads keys of a terminal, or lines such as `r 3` and `d whev_1` of a pipe. Returns a function that ends it. */
export function readControls(options: ControlOptions): () => void {
  return options.input.isTTY ? readNumberedKeys(options) : readLines(options);
}

function readLines({ input, ...options }: ControlOptions): () => void {
  const lines = createInterface({ input });
  lines.on('line', (line) => {
    const [command = '', name = ''] = line.trim().split(/\s+/);
    if (command !== '') void perform(command, name, options);
  });
  input.on('error', () => {});
  return () => {
    lines.close();
    input.destroy();
  };
}

function readNumberedKeys({ input, ...options }: ControlOptions): () => void {
  let digits = '';
  return readKeys(input, {
    stop: options.stop,
    pressed(key) {
      if (/\d/.test(key)) digits = (digits + key).slice(0, MAX_DIGITS);
      else {
        if (/[a-z?]/.test(key)) void perform(key, digits, options);
        digits = '';
      }
    },
  });
}

async function perform(
  command: string,
  name: string,
  { session, url, hasApp, print, stop }: Omit<ControlOptions, 'input'>,
): Promise<void> {
  if (command === 'q') return stop();
  if (!/^[rdc]$/.test(command)) return print(KEYS);
  const delivery = session.find(name);
  if (delivery === undefined) {
    return print(name === '' ? 'No delivery has arrived yet.' : `No kept delivery is ${name}.`);
  }
  if (command === 'd') return detailLines(delivery).forEach(print);
  if (!hasApp) return print('Redeliver and curl need an app: start with --forward-to.');
  if (command === 'c') return print(curlLine(url, delivery));
  await session.redeliver(delivery);
}

function detailLines({ number, headers, body }: ListedDelivery): string[] {
  const shown = headers.map(([name, value]) => {
    return `  ${safeLine(name)}: ${CONFIDENTIAL.test(name) ? '…' : safeLine(value)}`;
  });
  return [`delivery ${number}, ${body.byteLength} bytes`, ...shown, '', safeLine(body.toString())];
}
