import type { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

import { isRefusedAddress } from './target-address.ts';

export const TARGET_REFUSED = 'target_refused';

/**
 * Resolves a host name for a connection. A name that leads to any refused address is refused as a
 * whole, and the connection uses the very addresses that were judged: no second look-up can differ.
 *
 * @param resolve - `lookup` of `node:dns`
 */
export function guardLookup(resolve: typeof lookup): LookupFunction {
  return function guardedLookup(hostname, options, callback) {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const [first] = addresses;
      if (first === undefined || addresses.some(({ address }) => isRefusedAddress(address))) {
        return callback(refusal(hostname), '');
      }
      if (options.all === true) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

function refusal(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} leads to an address where no event is sent`), {
    code: TARGET_REFUSED,
  });
}
