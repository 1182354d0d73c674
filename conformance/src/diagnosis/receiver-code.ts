import { RECEIVER_FIXES } from '@hookproof/spec/control';

import type { ApiResponse } from '../clients/api-client.ts';
import { isRecord, parseJson } from '../http/message.ts';
import type { Diagnosis } from './diagnosis.ts';

/** What `@hookproof/receiver` says of itself in the body of a response. */
interface ReceiverCode {
  readonly code: string;
  readonly diagnosis: Diagnosis;
}

/** The code in a response of `@hookproof/receiver` to a delivery that is valid for `--secret`; null without one. */
export function receiverCode({ status, text }: ApiResponse): ReceiverCode | null {
  const json = parseJson(text);
  const code = isRecord(json) ? json['code'] : undefined;
  if (typeof code !== 'string') return null;
  const fix = RECEIVER_FIXES.get(code);
  if (fix === undefined) return null;
  const secret = code === 'signature_mismatch' ? ': its secret is not that of --secret' : '';
  const cause = `The receiver responds ${status} ${code}${secret}.`;
  return { code, diagnosis: { cause, fix } };
}
