/** One generated file: its path and how to generate it. */
export interface Step {
  /** Path of the file, relative to the `spec` folder. */
  readonly output: string;
  /** Generates the text of the file from the sources in `specFolder`, a URL that ends with `/`. */
  readonly render: (specFolder: URL) => Promise<string>;
}
