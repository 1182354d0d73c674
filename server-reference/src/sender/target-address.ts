import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

import { addressList } from './address-list.ts';

/** Link-local networks, and the addresses at which clouds keep a machine's credentials. */
const CREDENTIALS = addressList([
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fe80::/10',
  'fd00:ec2::254/128',
  'fd00:ec2::23/128',
  'fd00:42::42/128',
  'fd20:ce::254/128',
]);
/** What leads to this machine wherever it stands. */
const LOOPBACK = addressList(['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128']);

/**
 * Says why no event is ever sent to this IP address, or null. Link-local and metadata addresses are
 * refused, also those wrapped in IPv6, and what is no IP address; loopback and private networks are fine.
 */
export function addressRefusal(address: string): string | null {
  if (isIP(address) === 0) return `leads to ${address}, which is no IP address`;
  if (!CREDENTIALS.has(address)) return null;
  return (
    `leads to ${address}, a link-local or cloud metadata address: no event is sent there, because ` +
    'the credentials of a machine may lie there. Give the address of your receiver; loopback and private networks are fine.'
  );
}

/** Says why no event is sent to this IP address and port of the server itself, or null. */
export function ownPortRefusal(
  address: string,
  port: number,
  ownPorts: ReadonlySet<number>,
): string | null {
  // Addresses come and go with the networks of the machine, so they are read anew.
  if (!ownPorts.has(port) || !(LOOPBACK.has(address) || ownNetworks().has(address))) return null;
  return toOwnPort(`${address} port ${port}`);
}

export function toOwnPort(where: string): string {
  return (
    `leads to ${where}, where this server itself listens: no event is sent there, because its headers ` +
    'could open the control interface. Give the address of your receiver; other ports of this machine are fine.'
  );
}

function ownNetworks(): ReturnType<typeof addressList> {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return addressList(
    addresses.map(({ address, family }) => `${address}/${family === 'IPv4' ? 32 : 128}`),
  );
}
