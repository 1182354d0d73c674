import { PROCESSOR_OPTIONS, processorSettings } from './processor-options.ts';
import type { ProcessorOptions, ProcessorSettings } from './processor-options.ts';
import type { IngressOptions } from './receive/ingress-options.ts';
import { createVerifier } from './verify/verifier.ts';
import type { VerifierOptions } from './verify/verifier-options.ts';

type ForIngress = Omit<IngressOptions, 'verifier' | 'sink' | 'onError' | 'clock' | 'logger'>;

/** The options of both halves: what receives deliveries, and what handles their events. */
export interface ReceiverOptions<Tx = unknown>
  extends ProcessorOptions<Tx>, ForIngress, Omit<VerifierOptions, 'now'> {}

/** The options, checked once. */
export interface ReceiverSettings<Tx> {
  readonly processor: ProcessorSettings<Tx>;
  readonly ingress: Omit<IngressOptions, 'sink' | 'onError'>;
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
  const names = [...PROCESSOR_OPTIONS, ...INGRESS_OPTIONS, ...VERIFIER_OPTIONS];
  const processor = processorSettings(options, names);
  const { logger, worker } = processor;
  const { clock } = worker;
  const { secrets, secretEncoding, toleranceSeconds } = options;
  const verifier = createVerifier({
    secrets,
    ...(secretEncoding !== undefined && { secretEncoding }),
    ...(toleranceSeconds !== undefined && { toleranceSeconds }),
    now: () => clock.now(),
  });
  return {
    processor,
    ingress: { ...ingressOptions(options), ...(logger && { logger }), verifier, clock },
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
