import type { ConformanceOptions } from '@hookproof/conformance';

/** The result of a run of the suite. */
export interface Inspected {
  readonly exitCode: number | null;
  /** The report as JSON. */
  readonly output: string;
}

/** Runs the suite with all checks of the sides in the options. Only one run at a time. */
export interface Inspector {
  inspect(options: ConformanceOptions): Promise<Inspected>;
  close(): Promise<void>;
}
