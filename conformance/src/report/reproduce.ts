import type { Check } from '../check-kit/check.ts';
import { isShownWhole } from '../http/exchange.ts';
import type { HttpExchange } from '../http/exchange.ts';
import type { Plan } from '../options/plan.ts';

/** The command that runs one check against the same target, with secrets as variables. */
export function commandOf(check: Check, plan: Plan): string {
  const flags = check.side === 'receiver' ? receiverFlags(plan) : targetFlags(check, plan);
  return ['hookproof check', ...flags, `--only ${check.id}`].join(' ');
}

/** A request of the suite as a curl command, with secrets as variables; null when its body is not shown whole. */
export function curlOf({ sentBy, request }: HttpExchange): string | null {
  if (sentBy !== 'suite' || !isShownWhole(request.body)) return null;
  const { method, url, headers, body } = request;
  return [
    'curl -i',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    quoteAroundVariables(url),
    ...headers.map(([name, value]) => `-H ${quoteAroundVariables(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-binary ${quoteAroundVariables(body)}`]),
  ].join(' ');
}

function targetFlags({ side }: Check, plan: Plan): string[] {
  const { baseUrl, appUrl, control } = plan;
  return [
    ...(baseUrl === null ? [] : [`--base-url ${quoteIfNeeded(baseUrl)}`]),
    ...(appUrl === null ? [] : [`--app-url ${quoteIfNeeded(appUrl)}`]),
    ...(plan.keys.main === undefined ? [] : ['--key "$HOOKPROOF_KEY"']),
    ...(usesFixtures(plan) ? ['--fixtures fixtures.json'] : []),
    ...(control === null
      ? []
      : [`--control-url ${quoteIfNeeded(control.url)} --control-token "$HOOKPROOF_CONTROL_TOKEN"`]),
    ...(side === 'sender' ? ['--sender'] : []),
    ...(plan.allowWrites ? ['--allow-writes'] : []),
    ...(plan.allowDeletes ? ['--allow-deletes'] : []),
  ];
}

function receiverFlags({ receiver }: Plan): string[] {
  if (receiver === null) return [];
  const { url, secretEncoding, observerUrl } = receiver;
  return [
    `--receiver ${quoteIfNeeded(url)} --secret "$HOOKPROOF_SECRET"`,
    ...(secretEncoding === 'utf8' ? [] : [`--secret-encoding ${secretEncoding}`]),
    ...(observerUrl === null ? [] : [`--observer ${quoteIfNeeded(observerUrl)}`]),
  ];
}

/** The file supplies ids, and every key except the main one. */
function usesFixtures({ fixtures, keys }: Plan): boolean {
  const others = Object.keys(keys).filter((name) => name !== 'main');
  return Object.keys(fixtures).length + others.length > 0;
}

/** Leaves alone what a shell does not interpret. */
function quoteIfNeeded(text: string): string {
  return /^[\w.:/@%+=,-]+$/.test(text) ? text : singleQuote(text);
}

/** Single quotes, except around the variables of secrets, which the shell must expand. */
function quoteAroundVariables(text: string): string {
  return text
    .split(/(\$HOOKPROOF_[A-Z_]+)/)
    .map((part, index) => (index % 2 === 1 ? `"${part}"` : singleQuote(part)))
    .filter((part) => part !== "''")
    .join('');
}

function singleQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
