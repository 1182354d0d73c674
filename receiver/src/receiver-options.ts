import { trueOrFalse } from './argument-checks.ts';
import { PROCESSOR_OPTIONS, processorSettings } from './processor-options.ts';
import type { ProcessorOptions, ProcessorSettings } from './processor-options.ts';
import { RECEIVING_OPTIONS } from './receive/ingress-options.ts';
import type { ExplainRefusal, IngressOptions } from './receive/ingress-options.ts';
import type { ReadSecrets, Secrets } from './verify/secrets.ts';
import { createVerifier } from './verify/verifier.ts';
import type { ReadingVerifier, Verifier } from './verify/verifier.ts';
import type { VerifierOptions } from './verify/verifier-options.ts';

type ForIngress = Omit<IngressOptions, 'verifier' | 'sink' | 'onError' | 'clock'>;

/** The options of both halves: what receives deliveries, and what handles their events. */
export interface ReceiverOptions<Tx = unknown>
  extends
    ProcessorOptions<Tx>,
    ForIngress,
    Pick<VerifierOptions, 'secretEncoding' | 'toleranceSeconds'> {
  /**
   * The endpoint secret with its prefix `whsec_`, or up to 8 secrets during a rotation; or a function that
   * returns them, also in a promise. It is called for each delivery, so let it keep what a secret manager
   * returned for a while. When it throws, or takes longer than 3 seconds, the delivery gets 503.
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
  readonly verifier: Verifier | ReadingVerifier;
  readonly explain: ExplainRefusal | undefined;
}

const VERIFIER_OPTIONS = [
  'secrets',
  'secretEncoding',
  'toleranceSeconds',
] as const satisfies readonly (keyof VerifierOptions)[];

/** @throws {TypeError} When an option is invalid or unknown; the message names the option. */
export function receiverSettings<Tx>(options: ReceiverOptions<Tx>): ReceiverSettings<Tx> {
  const names = [
    ...PROCESSOR_OPTIONS,
    ...RECEIVING_OPTIONS,
    ...VERIFIER_OPTIONS,
    'explainRefusals',
  ];
  const processor = processorSettings(options, names);
  const { clock } = processor.worker;
  const explains = trueOrFalse('explainRefusals', options.explainRefusals, false);
  const { secrets, secretEncoding, toleranceSeconds } = options;
  const rules = {
    ...(secretEncoding !== undefined && { secretEncoding }),
    ...(toleranceSeconds !== undefined && { toleranceSeconds }),
    now: clock.now.bind(clock),
  };
  return {
    processor,
    ingress: { ...options, clock },
    verifier:
      typeof secrets === 'function'
        ? createVerifier({ ...rules, secrets })
        : createVerifier({ ...rules, secrets }),
    explain: explains ? explainWith(secrets, rules) : undefined,
  };
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
