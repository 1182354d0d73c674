import type { Defect } from '../kit/defect.ts';
import { changeDefects } from './changes.ts';
import { endpointDefects } from './endpoints.ts';
import { envelopeDefects } from './envelopes.ts';
import { headerDefects } from './headers.ts';
import { kindDefects } from './kinds.ts';
import { retryDefects } from './retries.ts';
import { outputDefects } from './run-outputs.ts';
import { runTypeDefects } from './run-types.ts';
import { runDefects } from './runs.ts';
import { scheduleDefects } from './schedules.ts';
import { signatureDefects } from './signatures.ts';
import { silenceDefects } from './silences.ts';
import { timestampDefects } from './timestamps.ts';

/** Senders with exactly one defect. */
export const senderDefects: readonly Defect[] = [
  ...headerDefects,
  ...timestampDefects,
  ...signatureDefects,
  ...envelopeDefects,
  ...runDefects,
  ...runTypeDefects,
  ...outputDefects,
  ...silenceDefects,
  ...changeDefects,
  ...endpointDefects,
  ...retryDefects,
  ...kindDefects,
  ...scheduleDefects,
];
