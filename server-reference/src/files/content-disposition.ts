/**
 * The header that has a download saved under its name: in ASCII for old clients, and by RFC 8187 where
 * that is not the whole name. Nothing in the name can break out of the header.
 */
export function contentDisposition(filename: string): string {
  const name = filename.replaceAll(/\p{Surrogate}/gu, '\u{FFFD}');
  const plain = name.replaceAll(/[^ !#-[\]-~]/gu, '_').replaceAll(/%(?=[0-9A-Fa-f]{2})/g, '_');
  const attachment = `attachment; filename="${plain}"`;
  return plain === name ? attachment : `${attachment}; filename*=UTF-8''${encode(name)}`;
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
