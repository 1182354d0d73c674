import { BlockList, isIP, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** A list of IP networks. */
export interface AddressList {
  /** Returns whether an IP address is in one of the networks. A zone is ignored. False for other strings. */
  has(address: string): boolean;
}

/**
 * Creates a list from networks such as `10.0.0.0/8` and `fe80::/10`. An IPv4 network also matches IPv4 addresses
 * embedded in IPv6: compatible, mapped, translated (NAT64, including the local-use prefix) and 6to4.
 */
export function addressList(networks: readonly string[]): AddressList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', length = ''] = network.split('/');
    const prefix = Number(length);
    list.addSubnet(address, prefix, isIPv4(address) ? 'ipv4' : 'ipv6');
    if (!isIPv4(address)) continue;
    for (const [wrapped, bits] of wrappings(address, prefix)) list.addSubnet(wrapped, bits, 'ipv6');
  }
  return {
    has(address) {
      const [bare = ''] = address.split('%');
      return isIP(bare) !== 0 && list.check(bare, isIPv4(bare) ? 'ipv4' : 'ipv6');
    },
  };
}

function wrappings(ipv4: string, prefix: number): (readonly [network: string, prefix: number])[] {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
  const high = (a * 256 + b).toString(16);
  const low = (c * 256 + d).toString(16);
  return [
    [`::${high}:${low}`, 96 + prefix],
    [`::ffff:${high}:${low}`, 96 + prefix],
    [`::ffff:0:${high}:${low}`, 96 + prefix],
    [`64:ff9b::${high}:${low}`, 96 + prefix],
    [`64:ff9b:1::${high}:${low}`, 96 + prefix],
    // With a 48-bit prefix, eight zero bits split the IPv4 address.
    [
      `64:ff9b:1:${high}:${c.toString(16)}:${(d * 256).toString(16)}::`,
      48 + prefix + (prefix > 16 ? 8 : 0),
    ],
    [`2002:${high}:${low}::`, 16 + prefix],
  ];
}

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
];
const CREDENTIALS = addressList(REFUSED_NETWORKS);
/** Addresses of this machine that do not depend on its networks. */
const LOOPBACK = addressList(['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128']);

/**
 * Returns why no event is sent to this address, or null. Link-local and metadata addresses are refused, also
 * when embedded in IPv6, and so are strings that are not IP addresses. Loopback and private networks are
 * allowed.
 */
export function addressRefusal(address: string): string | null {
  if (isIP(address) === 0) return `points to ${address}, which is not an IP address`;
  if (!CREDENTIALS.has(address)) return null;
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
  if (!ownPorts.has(port) || !(LOOPBACK.has(address) || ownNetworks().has(address))) return null;
  return toOwnPort(`${address} port ${port}`);
}

/** Returns the message for a target that is a port of this server. */
export function toOwnPort(where: string): string {
  return (
    `points to ${where}, a port of this server, whose control interface a custom header could open. ` +
    'Use the URL of your receiver; other ports of this machine are allowed.'
  );
}

function ownNetworks(): ReturnType<typeof addressList> {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return addressList(
    addresses.map(({ address, family }) => `${address}/${family === 'IPv4' ? 32 : 128}`),
  );
}
