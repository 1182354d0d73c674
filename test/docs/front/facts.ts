import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checks } from '@hookproof/conformance';

import { ROOT } from '../../compiled-program.ts';

/** The packed size of the receiver, rounded up, so that not each change of a text changes the page. */
const STEP_KILOBYTES = 50;

/** Returns the list of measured facts at the top of the front page. */
export function facts(): string {
  return [
    `- **${dependenciesOf('receiver')} dependencies, less than ${packedKilobytes('receiver')} kB**: the receiver is one package for Express, Fastify, Koa, Hono, Next.js, Lambda and \`node:http\`.`,
    `- **${checks.length} checks** of API, webhook sender and receiver. By default, they only read.`,
    '- **The suite is tested too**: every check fails on a deliberately broken implementation, and passes on every variant that the contract allows.',
    '- **One command** starts a complete local platform: API, webhook sender, dashboard, a clock that you control, and faults by name.',
  ].join('\n');
}

function dependenciesOf(room: string): number {
  const manifest: { dependencies?: Record<string, string> } = JSON.parse(
    readFileSync(join(ROOT, room, 'package.json'), 'utf8'),
  );
  return Object.keys(manifest.dependencies ?? {}).length;
}

function packedKilobytes(room: string): number {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: join(ROOT, room),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [result]: { size: number }[] = Object.values(JSON.parse(packed));
  if (result === undefined) throw new Error('npm pack must report a size, got none.');
  return Math.ceil(result.size / 1000 / STEP_KILOBYTES) * STEP_KILOBYTES;
}
