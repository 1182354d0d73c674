/** One generated file: where it goes and how its text is made. */
export interface Step {
  /** Path of the file, relative to the `spec` folder. */
  readonly output: string;
  /** Returns the whole text of the file, made from the sources in `specFolder` (a URL ending in `/`). */
  readonly render: (specFolder: URL) => Promise<string>;
}
