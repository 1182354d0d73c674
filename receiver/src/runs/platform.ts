import { knownOptions } from '../argument-checks.ts';
import type { Clock } from '../clock.ts';
import type { ReportProblem } from '../problems.ts';
import { VerifyingIngress } from '../receive/ingress.ts';
import type { ExplainRefusal } from '../receive/ingress-settings.ts';
import type { BodyLimits } from '../receive/read-body.ts';
import type { AcceptOutcome, NewEvent } from '../stores/store.ts';
import type { CheckedHeaders } from '../verify/headers.ts';
import { createVerifier } from '../verify/verifier.ts';
import type { ReadingVerifier, Verifier } from '../verify/verifier.ts';
import type { VerifiedDelivery, VerifierOptions } from '../verify/verifier-options.ts';
import type { ReadSecrets, Secrets } from '../verify/secrets.ts';
import type { SourceWork } from '../worker/source-work.ts';
import { DELIVERY_HEADERS, rotationEnd, runDeliveries } from './create-ingress.ts';
import type { IngressOptions } from './create-ingress.ts';
import { newEvent } from './event-content.ts';
import type { IncomingEvent } from './event-content.ts';
import { RUN_OPTIONS, runSettings } from './run-settings.ts';
import type { RunOptions } from './run-settings.ts';
import { runWork } from './run-work.ts';

/** How the deliveries of the platform are verified. */
export interface SecretOptions extends Pick<
  VerifierOptions,
  'secretEncoding' | 'toleranceSeconds'
> {
  /**
   * The endpoint secret with its prefix `whsec_`, or up to 8 secrets during a rotation; or a
   * function that returns them, also in a promise. It is called for each delivery, so let it keep
   * what a secret manager returned for a while. When it throws, or takes longer than 3 seconds, the
   * delivery gets 503.
   */
  readonly secrets: Secrets | ReadSecrets;
}

export interface PlatformOptions
  extends SecretOptions, RunOptions, Pick<IngressOptions, 'rotationUntil' | 'bodyLimitBytes'> {}

export const SECRET_OPTIONS: readonly (keyof VerifierOptions)[] = [
  'secrets',
  'secretEncoding',
  'toleranceSeconds',
];

const PLATFORM_OPTIONS = [...SECRET_OPTIONS, ...RUN_OPTIONS, 'rotationUntil', 'bodyLimitBytes'];

/** The source of the contract: `platform()` creates it. */
export class PlatformSource {
  /** The sender, for people. */
  readonly sender: string = 'the platform';
  /** The headers that make a request one of its deliveries, in lower case. */
  readonly headers: readonly string[] = DELIVERY_HEADERS;
  /** Maximum length of a body. */
  readonly bodyLimitBytes: number | undefined;
  readonly #options: PlatformOptions;

  constructor(options: PlatformOptions) {
    this.bodyLimitBytes = options.bodyLimitBytes;
    this.#options = options;
  }

  /** Its events are those of runs, whose order their statuses show. */
  get order(): 'walk' {
    return 'walk';
  }

  /** How its events are handled. */
  work<Tx>(handlers: unknown = {}): SourceWork<Tx> {
    return runWork<Tx>(runSettings(this.#options), handlers);
  }

  /** How its deliveries are received. */
  ingress(
    name: string,
    { accept, clock, report, ...limits }: ReceivingHost,
    explains: boolean,
  ): VerifyingIngress<CheckedHeaders, VerifiedDelivery> {
    const verifier = verifierOf(this.#options, () => clock.now());
    const sink = { put: (event: IncomingEvent) => accept(newEvent(event, name)) };
    return new VerifyingIngress({
      ...limits,
      clock,
      report,
      source: runDeliveries(verifier, sink, report),
      rotationUntil: rotationEnd(this.#options),
      explain: explains ? explainWith(this.#options, clock) : undefined,
    });
  }
}

/** What a receiver passes to the source. */
interface ReceivingHost extends BodyLimits {
  readonly accept: (event: NewEvent) => Promise<AcceptOutcome>;
  readonly clock: Clock;
  readonly report: ReportProblem;
  readonly others: ReadonlyMap<string, readonly string[]>;
}

/**
 * The source of the platform: its events are those of runs, with `timeline()`, `settled` and
 * `fetchRun`. `createReceiver({ secrets, handlers })` is the short form of a receiver with this
 * source alone.
 *
 * @throws {TypeError} When an option is invalid or unknown; the message names the option.
 * @example
 * ```ts
 * import { createReceiver, platform } from '@hookproof/receiver';
 * import { memoryStore } from '@hookproof/receiver/memory';
 * import { stripe } from '@hookproof/receiver/stripe';
 *
 * export const receiver = createReceiver({
 *   store: memoryStore(),
 *   sources: {
 *     runs: platform({ secrets: 'whsec_c2VjcmV0', mode: 'ordered' }),
 *     stripe: stripe({ secrets: 'whsec_of_stripe' }),
 *   },
 *   handlers: {
 *     runs: { completed: ({ data }) => console.log(data.run.output) },
 *     stripe: { 'invoice.paid': ({ data }) => console.log(data) },
 *   },
 * });
 * ```
 */
export function platform(options: PlatformOptions): PlatformSource {
  knownOptions(options, PLATFORM_OPTIONS);
  verifierOf(options, Date.now);
  runSettings(options);
  rotationEnd(options);
  return new PlatformSource(options);
}

/** @throws {TypeError} When an option is invalid. */
function verifierOf(options: SecretOptions, now: () => number): Verifier | ReadingVerifier {
  const rules = rulesOf(options, now);
  const { secrets } = options;
  return typeof secrets === 'function'
    ? createVerifier({ ...rules, secrets })
    : createVerifier({ ...rules, secrets });
}

/** Explains what this verifier refuses. */
function explainWith(options: SecretOptions, clock: Pick<Clock, 'now'>): ExplainRefusal {
  const { secrets } = options;
  const rules = rulesOf(options, () => clock.now());
  return async (delivery) => {
    // Only development loads it.
    const { explainDelivery, formatExplanation } = await import('../explain/index.ts');
    const known = typeof secrets === 'function' ? await secrets() : secrets;
    return formatExplanation(explainDelivery(delivery, { ...rules, secrets: known }));
  };
}

function rulesOf(
  { secretEncoding, toleranceSeconds }: SecretOptions,
  now: () => number,
): Omit<VerifierOptions, 'secrets'> {
  return {
    ...(secretEncoding !== undefined && { secretEncoding }),
    ...(toleranceSeconds !== undefined && { toleranceSeconds }),
    now,
  };
}
