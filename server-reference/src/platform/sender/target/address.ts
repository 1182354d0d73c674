import { BlockList, isIP, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Networks of IP addresses. */
export interface AddressList {
  /** Whether an address lies in one of them, zone or not; false for what is no IP address. */
  has(address: string): boolean;
}

/**
 * Reads networks such as `10.0.0.0/8` and `fe80::/10`. An IPv4 network is also found inside IPv6:
 * compatible, mapped, translated (NAT64, also its local form) and 6to4.
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
    // With a prefix of 48 bits the address lies around eight bits that are zero.
    [
      `64:ff9b:1:${high}:${c.toString(16)}:${(d * 256).toString(16)}::`,
      48 + prefix + (prefix > 16 ? 8 : 0),
    ],
    [`2002:${high}:${low}::`, 16 + prefix],
  ];
}

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
