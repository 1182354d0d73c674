import { badRequest, ROOT } from './api-error.ts';

/** What the headers of a part say. */
export interface PartLabel {
  readonly name: string;
  /** As sent by the caller; undefined if the part has none. */
  readonly filename: string | undefined;
  /** As sent by the caller, with its parameters; `text/plain` if the part has none. */
  readonly contentType: string;
}

/**
 * Reads the header lines of a part.
 *
 * @throws {ApiError} 400 `malformed_multipart` for a part without a name
 */
export function readPartLabel(lines: readonly string[]): PartLabel {
  const headers = new Map(lines.map(splitHeader));
  const parameters = readParameters(headers.get('content-disposition') ?? '');
  const name = parameters.get('name') ?? '';
  if (name === '') {
    throw badRequest('malformed_multipart', ROOT, 'every part must have a name');
  }
  return {
    name,
    filename: parameters.get('filename*') ?? parameters.get('filename'),
    contentType: headers.get('content-type') || 'text/plain',
  };
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  if (colon === -1) {
    throw badRequest('malformed_multipart', ROOT, 'every header of a part must have a colon');
  }
  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
}

const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/gs;

/** Returns the parameters of a Content-Disposition of the type `form-data`. */
function readParameters(header: string): Map<string, string> {
  const parameters = new Map<string, string>();
  if (!/^form-data\s*(;|$)/i.test(header)) return parameters;
  for (const [, key = '', quoted, plain = ''] of header.matchAll(PARAMETER)) {
    const name = key.toLowerCase();
    // Some clients do not escape the backslashes of a path.
    const value = quoted?.replaceAll(/\\(["\\])/g, '$1') ?? plain;
    const decoded = name.endsWith('*') ? decodeExtended(value) : value;
    if (decoded !== undefined) parameters.set(name, decoded);
  }
  return parameters;
}

/** Decodes `utf-8''na%C3%AFve` (RFC 8187); undefined for another charset or broken encoding. */
function decodeExtended(value: string): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.*)$/is.exec(value) ?? [];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
