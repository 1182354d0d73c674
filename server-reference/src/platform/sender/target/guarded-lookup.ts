import type { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** The error code of an attempt whose target is refused. */
export const TARGET_REFUSED = 'target_refused';

/**
 * Returns a lookup that refuses a host name if any of its addresses is refused. The connection uses the
 * checked addresses, so a second lookup cannot return others (DNS rebinding).
 *
 * @param resolve - `lookup` of `node:dns`
 * @param refusalOf - returns why an IP address is refused, to follow the name; null if it is allowed
 */
export function guardLookup(
  resolve: typeof lookup,
  refusalOf: (address: string) => string | null,
): LookupFunction {
  return function guardedLookup(hostname, options, callback) {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const [first] = addresses;
      if (first === undefined) return callback(refused(hostname, 'has no address'), '');
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
