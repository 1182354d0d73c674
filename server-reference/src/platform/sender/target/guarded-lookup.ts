import type { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

export const TARGET_REFUSED = 'target_refused';

/**
 * Resolves a host name for a connection. A name that leads to any refused address is refused as a
 * whole, and the connection uses the very addresses that were judged: no second look-up can differ.
 *
 * @param resolve - `lookup` of `node:dns`
 * @param refusalOf - why an IP address is refused, after the name; null when it is not
 */
export function guardLookup(
  resolve: typeof lookup,
  refusalOf: (address: string) => string | null,
): LookupFunction {
  return function guardedLookup(hostname, options, callback) {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const [first] = addresses;
      if (first === undefined) return callback(refused(hostname, 'leads to no address'), '');
      for (const { address } of addresses) {
        const refusal = refusalOf(address);
        if (refusal !== null) return callback(refused(hostname, refusal), '');
      }
      if (options.all === true) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

function refused(hostname: string, refusal: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} ${refusal}`), { code: TARGET_REFUSED });
}
