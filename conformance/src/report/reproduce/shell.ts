import { isShownWhole } from '../../http/exchange.ts';
import type { HttpExchange } from '../../http/exchange.ts';

/** Single quotes, except around the variables of secrets and ids, which the shell must expand. */
export function quoteAroundVariables(text: string): string {
  const quoted = text
    .split(/(\$HOOKPROOF_[A-Z0-9_]+)/)
    .map((part, index) => (index % 2 === 1 ? `"${part}"` : singleQuote(part)))
    .filter((part) => part !== "''")
    .join('');
  return quoted === '' ? "''" : quoted;
}

/** A request of the suite as arguments of curl; null when its body is not shown whole. */
export function curlArguments({ sentBy, request }: HttpExchange): string | null {
  if (sentBy !== 'suite' || !isShownWhole(request.body)) return null;
  const { method, url, headers, body } = request;
  return [
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    quoteAroundVariables(url),
    ...headers.map(([name, value]) => `-H ${quoteAroundVariables(headerText(name, value))}`),
    ...(body === null ? [] : [`--data-binary ${quoteAroundVariables(body)}`]),
  ].join(' ');
}

/** curl leaves out a header without a value, unless a semicolon ends its name. */
function headerText(name: string, value: string): string {
  return value.trim() === '' ? `${name};` : `${name}: ${value}`;
}

function singleQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
