/** What lets a check run that could not, or tells more. */
export interface Remedy {
  /** What to do: a flag to add, or a sentence. */
  readonly text: string;
  /** The option, key or id that is missing, by its name in a baseline: `appUrl`, `keys.ocr`, `runId`. */
  readonly need?: string;
  /** Whether a fixtures file supplies the need. Default false. */
  readonly inFixtures?: true;
  /** The check that reports the cause. */
  readonly check?: string;
}
