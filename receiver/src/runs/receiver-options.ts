import type { IngressLimits } from '../receive/ingress-settings.ts';
import type { IngressOptions } from './create-ingress.ts';
import type { ProcessorOptions } from './processor.ts';
import type { SecretOptions } from './platform.ts';

/** The options of both halves: what receives deliveries, and what handles their events. */
export interface ReceiverOptions<Tx = unknown>
  extends
    ProcessorOptions<Tx>,
    IngressLimits,
    Pick<IngressOptions, 'rotationUntil'>,
    SecretOptions {
  /**
   * For development: reports `delivery_explained` for each refused delivery, with the mistake that
   * explains it, such as a newline in the secret or a body that was serialised again. It tries many
   * keys and bodies for each delivery, so leave it off where strangers can send. The response never
   * contains it. Default: `false`.
   */
  readonly explainRefusals?: boolean;
}
