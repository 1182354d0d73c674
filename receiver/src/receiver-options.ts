import { PROCESSOR_OPTIONS, processorSettings } from './processor-options.ts';
import type { ProcessorOptions, ProcessorSettings } from './processor-options.ts';
import type { ExplainRefusal, IngressOptions } from './receive/ingress-options.ts';
import { createVerifier } from './verify/verifier.ts';
import type { VerifierOptions } from './verify/verifier-options.ts';

type ForIngress = Omit<IngressOptions, 'verifier' | 'sink' | 'onError' | 'clock' | 'logger'>;

/** The options of both halves: what receives deliveries, and what handles their events. */
export interface ReceiverOptions<Tx = unknown>
  extends ProcessorOptions<Tx>, ForIngress, Omit<VerifierOptions, 'now'> {
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
  readonly ingress: Omit<IngressOptions, 'sink' | 'onError'>;
  readonly explain: ExplainRefusal | undefined;
}

const INGRESS_OPTIONS = [
  'rotationUntil',
  'onResponse',
  'bodyLimitBytes',
  'bodyTimeoutMilliseconds',
  'maxBufferedBytes',
] as const satisfies readonly (keyof IngressOptions)[];

const VERIFIER_OPTIONS = [
  'secrets',
  'secretEncoding',
  'toleranceSeconds',
] as const satisfies readonly (keyof VerifierOptions)[];

/** @throws {TypeError} When an option is invalid or unknown; the message names the option. */
export function receiverSettings<Tx>(options: ReceiverOptions<Tx>): ReceiverSettings<Tx> {
  const names = [...PROCESSOR_OPTIONS, ...INGRESS_OPTIONS, ...VERIFIER_OPTIONS, 'explainRefusals'];
  const processor = processorSettings(options, names);
  const { logger, worker } = processor;
  const { clock } = worker;
  const { secrets, secretEncoding, toleranceSeconds } = options;
  const verification = {
    secrets,
    ...(secretEncoding !== undefined && { secretEncoding }),
    ...(toleranceSeconds !== undefined && { toleranceSeconds }),
    now: clock.now.bind(clock),
  };
  const verifier = createVerifier(verification);
  return {
    processor,
    ingress: { ...ingressOptions(options), ...(logger && { logger }), verifier, clock },
    explain: options.explainRefusals === true ? explainWith(verification) : undefined,
  };
}

function explainWith(options: VerifierOptions): ExplainRefusal {
  return async (delivery) => {
    // Only development loads it.
    const { explainDelivery, formatExplanation } = await import('./explain/index.ts');
    return formatExplanation(explainDelivery(delivery, options));
  };
}

function ingressOptions(options: ForIngress): ForIngress {
  const { rotationUntil, onResponse, bodyLimitBytes, bodyTimeoutMilliseconds, maxBufferedBytes } =
    options;
  return {
    ...(rotationUntil !== undefined && { rotationUntil }),
    ...(onResponse !== undefined && { onResponse }),
    ...(bodyLimitBytes !== undefined && { bodyLimitBytes }),
    ...(bodyTimeoutMilliseconds !== undefined && { bodyTimeoutMilliseconds }),
    ...(maxBufferedBytes !== undefined && { maxBufferedBytes }),
  };
}
