import type { HttpExchange } from '../../http/exchange.ts';
import { isRecord, parseJson } from '../../http/message.ts';
import { curlArguments, variable } from './shell.ts';

/** What a later command takes from the response to an earlier one. */
interface Taken {
  readonly value: string;
  /** `${HOOKPROOF_WORLD_ID}` */
  readonly text: string;
  readonly line: string;
}

const LISTENER = 'HOOKPROOF_LISTENER';
/** Variables by the last word of the path. */
const VARIABLES: Readonly<Record<string, string | undefined>> = {
  world: 'HOOKPROOF_WORLD',
  worlds: 'HOOKPROOF_WORLD',
  'webhook-endpoints': 'HOOKPROOF_ENDPOINT',
  runs: 'HOOKPROOF_RUN',
};
/** A shorter text may stand in a later request by chance. */
const MIN_ID_LENGTH = 4;

/**
 * Requests as lines for a shell, of which later ones use keys and ids of the responses to earlier ones: a world that
 * the run created is gone, so that its keys and ids are those of a new one.
 */
export function stepCommands(exchanges: readonly HttpExchange[]): readonly string[] {
  const commands: string[] = [];
  let rest = exchanges.map(withListener);
  while (rest.length > 0) {
    const [step, ...later] = rest;
    const line = step === undefined ? null : curlArguments(step);
    if (step === undefined || line === null) break;
    const name = variableOf(step, commands);
    const taken =
      name === null
        ? []
        : takenFrom(step, name, JSON.stringify(later.map(({ request }) => request)));
    if (taken.length === 0) {
      commands.push(`curl -i ${line}`);
    } else {
      commands.push(`${name}="$(curl -sS ${line})"`, ...taken.map((one) => one.line));
    }
    rest = later.map((one) => replaced(one, taken));
  }
  return inLoops(commands);
}

/** Commands that follow themselves become a loop. */
function inLoops(commands: readonly string[]): readonly string[] {
  const groups: { readonly command: string; times: number }[] = [];
  for (const command of commands) {
    const last = groups.at(-1);
    if (last?.command === command) last.times += 1;
    else groups.push({ command, times: 1 });
  }
  return groups.map(({ command, times }) =>
    times === 1 ? command : `for i in $(seq ${times}); do ${command}; done`,
  );
}

/** Whether the lines need a listener of the reader's own. */
export function needsListener(commands: readonly string[]): boolean {
  return commands.some((line) => line.includes(`$${LISTENER}`));
}

function withListener(exchange: HttpExchange): HttpExchange {
  const { url, body } = exchange.request;
  const given = body === null ? null : parseJson(body);
  if (!url.endsWith('/webhook-endpoints') || !isRecord(given)) return exchange;
  const json = JSON.stringify({ ...given, url: variable(LISTENER) });
  return { ...exchange, request: { ...exchange.request, body: json } };
}

function variableOf(
  { request: { url } }: HttpExchange,
  commands: readonly string[],
): string | null {
  const word = new URL(url).pathname.split('/').at(-1) ?? '';
  const name = VARIABLES[word];
  if (name === undefined) return null;
  const uses = commands.filter(
    (line) => line.startsWith(`${name}=`) || /^HOOKPROOF_RUN\d=/.test(line),
  );
  return uses.length === 0 ? name : `${name}${uses.length + 1}`;
}

/** The texts of a response that later requests have in them. */
function takenFrom({ response }: HttpExchange, name: string, later: string): readonly Taken[] {
  const json = response?.body == null ? undefined : parseJson(response.body);
  return leavesOf(json, '').flatMap(({ path, value }) => {
    if (value.length < MIN_ID_LENGTH || !later.includes(value)) return [];
    const isKey = /^\$HOOKPROOF_[A-Z_]+$/.test(value);
    const own = path.replace(/[^a-z]+/gi, '_').replace(/([a-z])([A-Z])/g, '$1_$2');
    const taken = isKey ? value.slice(1) : `${name}${own.toUpperCase()}`;
    const line = `${taken}="$(node -p 'JSON.parse(process.argv[1])${path}' "$${name}")"`;
    return [{ value, text: variable(taken), line }];
  });
}

/** Strings of a JSON value with their paths, as JavaScript writes them. */
function leavesOf(value: unknown, path: string): readonly { path: string; value: string }[] {
  if (typeof value === 'string') return [{ path, value }];
  if (!isRecord(value)) return [];
  return Object.entries(value)
    .filter(([name]) => /^[a-z]\w*$/i.test(name))
    .flatMap(([name, item]) => leavesOf(item, `${path}.${name}`));
}

function replaced(exchange: HttpExchange, taken: readonly Taken[]): HttpExchange {
  const { request } = exchange;
  const change = (text: string): string =>
    taken.reduce((changed, one) => changed.replaceAll(one.value, () => one.text), text);
  return {
    ...exchange,
    request: {
      ...request,
      url: change(request.url),
      headers: request.headers.map(([name, value]) => [name, change(value)] as const),
      body: request.body === null ? null : change(request.body),
    },
  };
}
