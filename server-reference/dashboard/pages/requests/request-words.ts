import type { ApiKey, ApiRequest, ApiRequestDetail } from '@hookproof/spec/control';

import { quote } from '../../parts/command.tsx';
import type { Tone } from '../../parts/values.tsx';

/** Returns the name of a key. */
export function keyName(keyId: string | null, keys: readonly ApiKey[]): string {
  if (keyId === null) return 'no valid key';
  return keys.find(({ id }) => id === keyId)?.name ?? keyId;
}

/** Returns the response at a glance. */
export function responseOf({ status }: ApiRequest): { readonly tone: Tone; readonly text: string } {
  if (status === null) return { tone: 'bad', text: 'no response' };
  return { tone: status < 400 ? 'good' : status < 500 ? 'wait' : 'bad', text: String(status) };
}

/** Headers that curl sets itself. */
const OF_CURL = /^(host|content-length|connection|accept-encoding|user-agent|accept)$/i;

/** Returns a curl command that sends a request again. It takes the key from the environment. */
export function curlOf(detail: ApiRequestDetail): string {
  const { request, query, requestHeaders, requestBody } = detail;
  const url = `${location.origin}${request.path}${query === '' ? '' : `?${query}`}`;
  const lines = [`curl -X ${request.method} ${quote(url)}`];
  for (const [name = '', value = ''] of requestHeaders) {
    if (name.toLowerCase() === 'authorization') {
      lines.push('-H "Authorization: Bearer $HOOKPROOF_KEY"');
    } else if (!OF_CURL.test(name)) lines.push(`-H ${quote(`${name}: ${value}`)}`);
  }
  if (requestBody !== null) lines.push(`--data-binary ${quote(requestBody)}`);
  return lines.join(' \\\n  ');
}
