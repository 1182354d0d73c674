/** A file by its place: the bytes lie apart, under their hash. */
export interface StoredFile {
  /** Slash-delimited and normal, such as `reports/summary.csv`: a key, never a file name of this machine. */
  path: string;
  contentType: string;
  /** Bytes. */
  size: number;
  /** Of the bytes, in lower-case hex. */
  sha256: string;
}
