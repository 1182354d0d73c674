import { isShownWhole } from '../../http/exchange.ts';
import type { HttpExchange } from '../../http/exchange.ts';

/** A variable in a text. Braces end its name, whatever follows. */
export function variable(name: string): string {
  return `\${${name}}`;
}

/** Single quotes, except around the variables of secrets and ids, which the shell must expand. */
export function quoteAroundVariables(text: string): string {
  const quoted = text
    .split(/\$(HOOKPROOF_[A-Z0-9_]+|\{HOOKPROOF_[A-Z0-9_]+\})/)
    .map((part, index) =>
      index % 2 === 1 ? `"$${part.replaceAll(/[{}]/g, '')}"` : singleQuote(part),
    )
    .filter((part) => part !== "''")
    .join('');
  return quoted === '' ? "''" : quoted;
}

/** A request of the suite as arguments of curl; null when its body is not shown whole, or has a NUL, which no argument has. */
export function curlArguments({ sentBy, request }: HttpExchange): string | null {
  if (sentBy !== 'suite' || !isShownWhole(request.body) || request.body?.includes('\0') === true) {
    return null;
  }
  const { method, url, headers, body } = request;
  return [
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    quoteAroundVariables(url),
    ...headers.map(([name, value]) => `-H ${quoteOctets(headerText(name, value))}`),
    ...(body === null ? [] : [`--data-binary ${quoteAroundVariables(body)}`]),
  ].join(' ');
}

/** curl leaves out a header without a value, unless a semicolon ends its name. */
function headerText(name: string, value: string): string {
  return value.trim() === '' ? `${name};` : `${name}: ${value}`;
}

/** Each character of a header is one octet, and a shell writes text in UTF-8: `printf` writes the octets beyond ASCII. */
function quoteOctets(header: string): string {
  return header
    .split(/([\u0080-\u00ff]+)/)
    .map((part, index) => {
      if (index % 2 === 0) return part === '' ? '' : quoteAroundVariables(part);
      const octets = Array.from(part, (octet) => `\\${octet.charCodeAt(0).toString(8)}`);
      return `"$(printf '${octets.join('')}')"`;
    })
    .join('');
}

function singleQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
