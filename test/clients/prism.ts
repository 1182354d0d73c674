import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Proxy } from '@hookproof/conformance/proof';
import { request } from 'undici';

import { headersOf, playBack } from './recorded-exchanges.ts';
import type { Exchange } from './recorded-exchanges.ts';

const peers = new URL('../tools/bench/peers/', import.meta.url);

/** What prism finds in an exchange: texts that begin with `request` or `response`. */
export interface Verdict {
  readonly exchange: Exchange;
  readonly request: readonly string[];
  readonly response: readonly string[];
}

/**
 * Sends each request again through a prism proxy that validates it and its recorded response by an OpenAPI
 * document. Prism is installed at the first use.
 */
export async function judgeByPrism(
  document: URL,
  exchanges: readonly Exchange[],
  targetOf: (exchange: Exchange) => string,
): Promise<Verdict[]> {
  const recorded = await playBack(exchanges);
  const prism = await startPrism(document, recorded.url);
  try {
    const verdicts: Verdict[] = [];
    for (const [index, exchange] of exchanges.entries()) {
      const { method, requestBody } = exchange;
      const { headers, body } = await request(prism.url + targetOf(exchange), {
        method,
        headers: headersOf(exchange, index).flat(),
        body: requestBody,
      });
      await body.dump();
      verdicts.push({ exchange, ...readViolations(headers) });
    }
    return verdicts;
  } finally {
    await prism.close();
    await recorded.close();
  }
}

interface Violation {
  readonly location: readonly string[];
  readonly message: string;
}

function readViolations(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Pick<Verdict, 'request' | 'response'> {
  // Prism responds by itself to a request that it cannot read.
  if (headers['content-type'] === 'application/problem+json')
    return { request: ['request is not readable'], response: [] };
  const text = String(headers['sl-violations'] ?? '[]');
  const all: Violation[] = text.startsWith('[')
    ? JSON.parse(text)
    : [{ location: ['response'], message: text }];
  const found = all.map(({ location, message }) => `${location.join('.')}: ${message}`);
  return {
    request: found.filter((one) => one.startsWith('request')),
    response: found.filter((one) => !one.startsWith('request')),
  };
}

async function startPrism(document: URL, upstream: string): Promise<Proxy> {
  if (!existsSync(new URL('node_modules/', peers))) {
    const options = { cwd: fileURLToPath(peers) };
    await promisify(execFile)('npm', ['ci', '--loglevel=error', '--ignore-scripts'], options);
  }
  const program = createRequire(new URL('package.json', peers)).resolve('@stoplight/prism-cli');
  const args = ['proxy', fileURLToPath(document), upstream, '-p', '0', '-m', 'false'];
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  const close = async () => {
    const gone = once(child, 'close');
    child.kill();
    await gone;
  };
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    const [, url] = /listening on (http:\S+)/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stdout.resume();
    return { url, close };
  }
  throw new Error(`prism does not start:\n${lines.join('\n')}`);
}
