/** Every way in which a delivery can be made to go wrong. */
export const PATHOLOGY_NAMES = [
  'duplicate',
  'reorder',
  'delay',
  'drop-then-redeliver',
  'stale-timestamp',
  'future-timestamp',
  'wrong-secret',
  'tampered-body',
  'truncated-body',
  'slow-drip',
] as const;

export type PathologyName = (typeof PATHOLOGY_NAMES)[number];
