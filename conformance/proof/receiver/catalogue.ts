import type { Defect } from '../kit/defect.ts';
import { bodyDefects } from './body-defects.ts';
import { duplicateDefects } from './duplicate-defects.ts';
import { effectDefects } from './effect-defects.ts';
import { eventDefects } from './event-defects.ts';
import { otherDefects } from './other-defects.ts';
import { signatureDefects } from './signature-defects.ts';
import { timestampDefects } from './timestamp-defects.ts';

/** Receivers with one defect each. */
export const receiverDefects: readonly Defect[] = [
  ...signatureDefects,
  ...timestampDefects,
  ...bodyDefects,
  ...eventDefects,
  ...duplicateDefects,
  ...effectDefects,
  ...otherDefects,
];
