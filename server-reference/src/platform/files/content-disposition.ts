import format from 'content-disposition';

/**
 * The header that makes a browser save a download under its name. `filename` is plain ASCII: clients
 * disagree on other encodings and on escapes (RFC 6266, appendix D). `filename*` follows where that is
 * not the whole name (RFC 8187).
 */
export function contentDisposition(filename: string): string {
  const name = filename.replaceAll(/\p{Surrogate}/gu, '\u{FFFD}');
  const ascii = name.replaceAll(/[^ !#-[\]-~]/gu, '_').replaceAll(/%(?=[0-9A-Fa-f]{2})/g, '_');
  return format(name, { fallback: ascii });
}
