import type { HeaderPair } from '../verdict/exchange.ts';

/** Where an answer sends its caller, resolved against the address that was asked; null when it is no redirect over HTTP. */
export function redirectTarget(
  asked: string,
  response: { readonly status: number; readonly headers: readonly HeaderPair[] },
): string | null {
  if (response.status < 300 || response.status > 399) return null;
  const location = response.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  if (location === undefined || !URL.canParse(location, asked)) return null;
  const { protocol, href } = new URL(location, asked);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}
