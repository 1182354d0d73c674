const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}( *; *${TOKEN}=(${TOKEN}|"[ !#-\\[\\]-~]*"))*$`);
const LONGEST_TYPE = 255;

/** What stands for bytes of which nothing is known. */
export const UNKNOWN_TYPE = 'application/octet-stream';

/** Whether a text can stand as it is in a Content-Type header. */
export function isMediaType(text: string): boolean {
  return text.length <= LONGEST_TYPE && MEDIA_TYPE.test(text);
}
