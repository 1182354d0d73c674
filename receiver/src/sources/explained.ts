import type { FailedDelivery, SignedWith } from '../explain/explain-signed.ts';
import type { SenderForm } from '../explain/sender-form.ts';

/**
 * Explains a refused delivery by the commonest mistakes of its sender. Only development loads it.
 */
export async function explained(
  form: SenderForm,
  delivery: FailedDelivery,
  options: SignedWith,
): Promise<string> {
  const { explainSigned } = await import('../explain/explain-signed.ts');
  const { formatExplanation } = await import('../explain/mistake.ts');
  return formatExplanation(explainSigned(form, delivery, options));
}
