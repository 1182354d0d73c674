import { explainDelivery } from '@hookproof/receiver/explain';
import { createVerifier, WebhookVerificationError } from '@hookproof/receiver/verify';

import type { ReceivedDelivery } from '../../saved/delivery-folder.ts';

/** Whether the signature and the time of a delivery are valid. */
export interface Verdict {
  /** `valid`, `unverified` without a secret, or the code of the refusal. */
  readonly code: string;
  /** Position of the secret that fits, from 1; null for another verdict. */
  readonly secret: number | null;
  /** The known mistake behind a refusal: cause, evidence and fix. Null for another verdict. */
  readonly explanation: { readonly cause: string; readonly text: string } | null;
  /** The response to a sender when there is no app: a retry can save a delivery that is only late. */
  readonly status: 204 | 401 | 425;
}

/** Returns a function that judges deliveries by these secrets. It knows the time of their arrival. */
export function judgeBy(secrets: readonly string[]): (delivery: ReceivedDelivery) => Verdict {
  if (secrets.length === 0) {
    return () => ({ code: 'unverified', secret: null, explanation: null, status: 204 });
  }
  let now = 0;
  const verifier = createVerifier({ secrets, now: () => now });
  return (delivery) => {
    const { headers, body, receivedAt } = delivery;
    now = receivedAt;
    const source = { rawHeaders: headers.flat() };
    try {
      const { secretIndex } = verifier.verifySignature(source, body);
      return { code: 'valid', secret: secretIndex + 1, explanation: null, status: 204 };
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      const mistake = explainDelivery(
        { headers: source, rawBody: body },
        { secrets, now: () => receivedAt },
      );
      const text = `${mistake.evidence} ${mistake.fix}`.trim();
      const explanation = { cause: mistake.cause, text };
      const status = error.stage === 'freshness' ? 425 : 401;
      return { code: error.code, secret: null, explanation, status };
    }
  };
}
