import { BlockList, isIP, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

import ipaddr from 'ipaddr.js';

/** Link-local networks and the metadata addresses of clouds, which serve credentials. */
export const REFUSED_NETWORKS: readonly string[] = [
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fe80::/10',
  'fd00:ec2::254/128',
  'fd00:ec2::23/128',
  'fd00:42::42/128',
  'fd20:ce::254/128',
  // NAT64 for local use: where in the address an IPv4 address stands depends on the network.
  '64:ff9b:1::/48',
];
const CREDENTIALS = blockList(REFUSED_NETWORKS);
/** Addresses of this machine that do not depend on its networks. */
const LOOPBACK = blockList(['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128']);

/** IPv6 networks whose addresses contain an IPv4 address, and the byte at which it begins. */
const EMBEDDING = [
  [ipaddr.IPv6.parseCIDR('::/96'), 12],
  [ipaddr.IPv6.parseCIDR('::ffff:0:0/96'), 12],
  [ipaddr.IPv6.parseCIDR('::ffff:0:0:0/96'), 12],
  [ipaddr.IPv6.parseCIDR('64:ff9b::/96'), 12],
  [ipaddr.IPv6.parseCIDR('2002::/16'), 2],
] as const;

/**
 * Returns why no event is sent to this address, or null. Link-local and metadata addresses are refused, also
 * when embedded in IPv6, and so are strings that are not IP addresses. Loopback and private networks are
 * allowed.
 */
export function addressRefusal(address: string): string | null {
  if (isIP(address) === 0) return `points to ${address}, which is not an IP address`;
  if (!isListed(CREDENTIALS, address)) return null;
  return (
    `points to ${address}, a link-local or cloud metadata address, which may serve credentials. ` +
    'Use the URL of your receiver; loopback and private networks are allowed.'
  );
}

/** Returns why no event is sent to this address and port of the server, or null. */
export function ownPortRefusal(
  address: string,
  port: number,
  ownPorts: ReadonlySet<number>,
): string | null {
  // The addresses of the machine can change, so they are read each time.
  if (!ownPorts.has(port) || !(isListed(LOOPBACK, address) || isListed(ownAddresses(), address))) {
    return null;
  }
  return toOwnPort(`${address} port ${port}`);
}

/** Returns the message for a target that is a port of this server. */
export function toOwnPort(where: string): string {
  return (
    `points to ${where}, a port of this server, whose control interface a custom header could open. ` +
    'Use the URL of your receiver; other ports of this machine are allowed.'
  );
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address, prefix] = ipaddr.parseCIDR(network);
    list.addSubnet(address.toString(), prefix, address.kind());
  }
  return list;
}

function ownAddresses(): BlockList {
  const list = new BlockList();
  for (const { address, family } of Object.values(networkInterfaces()).flatMap(
    (all) => all ?? [],
  )) {
    list.addAddress(address, family === 'IPv4' ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** Also true for an IPv6 address that contains a listed IPv4 address. A zone is ignored. */
function isListed(list: BlockList, address: string): boolean {
  const [bare = ''] = address.split('%');
  if (isIPv4(bare)) return list.check(bare, 'ipv4');
  if (list.check(bare, 'ipv6')) return true;
  const parsed = ipaddr.IPv6.parse(bare);
  const bytes = parsed.toByteArray();
  return EMBEDDING.some(
    ([network, begin]) =>
      parsed.match(network) && list.check(bytes.slice(begin, begin + 4).join('.'), 'ipv4'),
  );
}
