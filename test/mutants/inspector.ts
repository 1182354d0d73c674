import type { ConformanceOptions } from '@hookproof/conformance';

/** What a run of the suite leaves behind. */
export interface Inspected {
  readonly exitCode: number | null;
  /** The report as JSON. */
  readonly output: string;
}

/** A way to run the suite: all checks of the sides that the options name. One run at a time. */
export interface Inspector {
  inspect(options: ConformanceOptions): Promise<Inspected>;
  close(): Promise<void>;
}
