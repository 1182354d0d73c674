import { trueOrFalse } from './argument-checks.ts';
import { PROCESSOR_OPTIONS, processorSettings } from './processor-options.ts';
import type { ProcessorOptions, ProcessorSettings } from './processor-options.ts';
import { RECEIVING_OPTIONS } from './receive/ingress-options.ts';
import type { ExplainRefusal, IngressOptions } from './receive/ingress-options.ts';
import type { Problem, ReportProblem } from './problems.ts';
import type { ReadSecrets, Secrets } from './verify/secrets.ts';
import type { SecretsUnavailableError } from './verify/secrets-cache.ts';
import { createVerifier } from './verify/verifier.ts';
import type { ReadingVerifier, Verifier } from './verify/verifier.ts';
import type { ReadingVerifierOptions, VerifierOptions } from './verify/verifier-options.ts';

type ForIngress = Omit<IngressOptions, 'verifier' | 'sink' | 'onError' | 'clock' | 'logger'>;

/** The options of both halves: what receives deliveries, and what handles their events. */
export interface ReceiverOptions<Tx = unknown>
  extends
    ProcessorOptions<Tx>,
    ForIngress,
    Pick<VerifierOptions, 'secretEncoding' | 'toleranceSeconds'>,
    Pick<ReadingVerifierOptions, 'secretsCacheMilliseconds'> {
  /**
   * The endpoint secret with its prefix `whsec_`, or up to 8 secrets during a rotation; or a function that returns
   * them, also in a promise, within 3 seconds. It is called with the first delivery, when
   * `secretsCacheMilliseconds` are over, and when a signature matches none of the secrets, then at most once a
   * second. While it fails, the last secrets that it returned are used further; what matches none of them gets 503.
   */
  readonly secrets: Secrets | ReadSecrets;
  /**
   * For development: reports `delivery_explained` for each refused delivery, with the mistake that
   * explains it, such as a newline in the secret or a body that was serialised again. It tries many
   * keys and bodies for each delivery, so leave it off where strangers can send. The response never
   * contains it. Default: `false`.
   */
  readonly explainRefusals?: boolean;
}

/** The options, checked once. */
export interface ReceiverSettings<Tx> {
  readonly processor: ProcessorSettings<Tx>;
  readonly ingress: Omit<IngressOptions, 'verifier' | 'sink' | 'onError'>;
  /** Reports when the secrets cannot be read and the last known ones are used further. */
  readonly verifier: (report: ReportProblem) => Verifier | ReadingVerifier;
  readonly explain: ExplainRefusal | undefined;
}

const VERIFIER_OPTIONS = [
  'secrets',
  'secretEncoding',
  'secretsCacheMilliseconds',
  'toleranceSeconds',
] as const satisfies readonly (keyof ReadingVerifierOptions)[];

/** @throws {TypeError} When an option is invalid or unknown; the message names the option. */
export function receiverSettings<Tx>(options: ReceiverOptions<Tx>): ReceiverSettings<Tx> {
  const names = [
    ...PROCESSOR_OPTIONS,
    ...RECEIVING_OPTIONS,
    ...VERIFIER_OPTIONS,
    'explainRefusals',
  ];
  const processor = processorSettings(options, names);
  const { logger, worker } = processor;
  const { clock } = worker;
  const explains = trueOrFalse('explainRefusals', options.explainRefusals, false);
  const { secrets, secretEncoding, secretsCacheMilliseconds, toleranceSeconds } = options;
  const rules = {
    ...(secretEncoding !== undefined && { secretEncoding }),
    ...(toleranceSeconds !== undefined && { toleranceSeconds }),
    now: clock.now.bind(clock),
  };
  const verifierWith = (report: ReportProblem): Verifier | ReadingVerifier =>
    typeof secrets === 'function'
      ? createVerifier({
          ...rules,
          secrets,
          ...(secretsCacheMilliseconds !== undefined && { secretsCacheMilliseconds }),
          onStaleSecrets: (cause) => report(staleSecrets(cause)),
          clock,
        })
      : createVerifier({ ...rules, secrets });
  return {
    processor,
    ingress: { ...options, ...(logger && { logger }), clock },
    verifier: verifierWith,
    explain: explains ? explainWith(secrets, rules) : undefined,
  };
}

function staleSecrets(cause: SecretsUnavailableError): Omit<Problem, 'count'> {
  const message = `The last known secrets are used further. ${cause.message}`;
  return { code: 'secrets_unavailable', message, eventId: null, runId: null, cause };
}

function explainWith(
  secrets: Secrets | ReadSecrets,
  rules: Omit<VerifierOptions, 'secrets'>,
): ExplainRefusal {
  return async (delivery) => {
    // Only development loads it.
    const { explainDelivery, formatExplanation } = await import('./explain/index.ts');
    const known = typeof secrets === 'function' ? await secrets() : secrets;
    return formatExplanation(explainDelivery(delivery, { ...rules, secrets: known }));
  };
}
