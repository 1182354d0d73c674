import type { ReceivedDelivery } from '../../saved/delivery-folder.ts';
import { endToEnd } from './hop-by-hop.ts';

/** Returns a curl line for bash that sends the bytes and headers of a delivery to a URL. */
export function curlLine(
  url: string,
  { headers, body }: Pick<ReceivedDelivery, 'headers' | 'body'>,
): string {
  const sent = endToEnd(headers).filter(([name]) => name.toLowerCase() !== 'content-length');
  const lines = sent.map(([name, value]) =>
    quoted(Buffer.from(value === '' ? `${name};` : `${name}: ${value}`, 'latin1')),
  );
  const options = lines.map((line) => `-H ${line}`);
  return [
    'curl -i -X POST',
    quoted(Buffer.from(url)),
    ...options,
    `--data-raw ${quoted(body)}`,
  ].join(' ');
}

/** `$'…'` can hold every byte but NUL, which no argument of a program can. */
function quoted(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  if (/^[\x20-\x26\x28-\x7e]*$/.test(text)) return `'${text}'`;
  const escaped = text.replaceAll(/[^\x20-\x26\x28-\x5b\x5d-\x7e]/g, (character) => {
    if (character === "'" || character === '\\') return `\\${character}`;
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `$'${escaped}'`;
}
