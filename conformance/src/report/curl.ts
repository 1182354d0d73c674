import { isShownWhole } from '../verdict/exchange.ts';
import type { HttpExchange } from '../verdict/exchange.ts';

/** An exchange that the suite sent, as a shell line with secrets as variables; null when its body is not shown whole. */
export function curlOf({ sentBy, request }: HttpExchange): string | null {
  if (sentBy !== 'suite' || !isShownWhole(request.body)) return null;
  const { method, url, headers, body } = request;
  return [
    'curl -i',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    quote(url),
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-binary ${quote(body)}`]),
  ].join(' ');
}

/** Single quotes, except around the variables of secrets, which the shell must fill in. */
function quote(text: string): string {
  return text
    .split(/(\$HOOKPROOF_[A-Z_]+)/)
    .map((part, index) =>
      index % 2 === 1 ? `"${part}"` : `'${part.replaceAll("'", String.raw`'\''`)}'`,
    )
    .filter((part) => part !== "''")
    .join('');
}
