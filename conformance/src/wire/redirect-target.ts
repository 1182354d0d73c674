import type { HeaderPair } from '../exchange.ts';

/** Where an answer sends its caller, resolved against the address that was asked; null when it is no redirect over HTTP. */
export function redirectTarget(
  asked: string,
  answer: { readonly status: number; readonly headers: readonly HeaderPair[] },
): string | null {
  if (answer.status < 300 || answer.status > 399) return null;
  const location = answer.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  if (location === undefined || !URL.canParse(location, asked)) return null;
  const { protocol, href } = new URL(location, asked);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}
