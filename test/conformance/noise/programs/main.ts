// Judges a right implementation once without noise and several times behind it. Prints what differs.
import type { Report } from '@hookproof/conformance';
import type { Between } from '@hookproof/conformance/hooks';
import { runTransformed } from '@hookproof/conformance/proof';
import type { Variant } from '@hookproof/conformance/proof';
import { Command } from 'commander';

import { drawsOf, noise } from './noise.ts';
import type { NoisyRun } from './noisy-run.ts';
import { startTarget } from './targets.ts';
import type { Kind } from './targets.ts';

interface Chosen {
  readonly kind: Kind;
  readonly jitter: number;
  readonly only?: readonly string[];
}

const program = new Command('noise')
  .description('Odd seeds run one check at a time, even ones eight.')
  .argument('<seed...>', 'a number for each noisy run')
  .requiredOption('--kind <kind>', 'full, reads or receiver')
  .option('--jitter <milliseconds>', 'the largest response time', Number, 50)
  .option('--only <id...>', 'only these checks')
  .parse();
const chosen = program.opts<Chosen>();

const quiet = await judge(null);
for (const seed of program.args.map(Number)) {
  const noisy = await judge(seed);
  process.stdout.write(`${JSON.stringify(comparison(seed, noisy))}\n`);
}

async function judge(seed: number | null): Promise<Report> {
  const { kind, only } = chosen;
  const between = seed === null ? null : noise(drawsOf(`${kind} ${seed}`), chosen.jitter);
  const target = await startTarget(kind, between ?? ((request, next) => next(request)));
  const options = { ...target.options, ...(only === undefined ? {} : { only }) };
  try {
    if (seed === null || between === null) return await runTransformed(options, []);
    const shuffled = { ...options, orderSeed: seed, concurrency: concurrencyOf(seed) };
    return await runTransformed(shuffled, [busyListener(between)]);
  } finally {
    await target.close();
  }
}

/** Deliveries of the target have noise on their way too. */
function busyListener(between: Between): Variant {
  return {
    id: 'busy-listener',
    side: 'sender',
    does: 'Delivers events to a listener behind noise.',
    takes: 'delivery.at-least-once',
    open: () => ({ delivery: between }),
  };
}

function comparison(seed: number, noisy: Report): NoisyRun {
  const before = new Map(quiet.checks.map(({ id, verdict }) => [id, verdict]));
  const { wire, counts, outcome, suiteErrors, leftBehind, durationMilliseconds } = noisy;
  return {
    kind: chosen.kind,
    seed,
    concurrency: concurrencyOf(seed),
    checks: noisy.checks.length,
    passed: counts.pass,
    outcome,
    suiteErrors,
    failed: counts.fail,
    inconclusive: counts.inconclusive,
    leftBehind,
    requests: wire.requests + wire.controlRequests + wire.deliveries,
    milliseconds: durationMilliseconds,
    differences: noisy.checks
      .filter(({ id, verdict }) => before.get(id) !== verdict)
      // A check of busy responses applies when the noise has some.
      .filter(({ id, verdict }) => before.get(id) !== 'not-applicable' || verdict !== 'pass')
      .map(
        ({ id, verdict, message }) => `${id}: ${before.get(id)}, with noise ${verdict}: ${message}`,
      ),
  };
}

function concurrencyOf(seed: number): number {
  return seed % 2 === 0 ? 8 : 1;
}
