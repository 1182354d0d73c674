import type { AssetsByPath } from './assets/asset.ts';

/** An example of a dataset, and what a reviewer is shown of it. */
export interface ExamplePlan {
  readonly name: string;
  readonly input: AssetsByPath;
  readonly expected: AssetsByPath;
  readonly inputJson: Record<string, unknown>;
  readonly expectedJson: Record<string, unknown>;
  /** What a reviewer makes of it who corrects one field. */
  readonly corrected: { readonly path: string; readonly json: Record<string, unknown> };
}
