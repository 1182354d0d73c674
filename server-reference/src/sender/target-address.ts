import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Link-local networks and the addresses at which clouds keep a machine's credentials. */
const REFUSED_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
];
const REFUSED_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  ['fe80::', 10],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
];

const refused = new BlockList();
for (const [network, prefix] of REFUSED_IPV6) refused.addSubnet(network, prefix, 'ipv6');
for (const [network, prefix] of REFUSED_IPV4) {
  refused.addSubnet(network, prefix, 'ipv4');
  const [high, low] = hexGroups(network);
  // The same address inside IPv6: compatible, mapped, translated (NAT64 and its local form) and 6to4.
  refused.addSubnet(`::${high}:${low}`, 96 + prefix, 'ipv6');
  refused.addSubnet(`::ffff:${high}:${low}`, 96 + prefix, 'ipv6');
  refused.addSubnet(`::ffff:0:${high}:${low}`, 96 + prefix, 'ipv6');
  refused.addSubnet(`64:ff9b::${high}:${low}`, 96 + prefix, 'ipv6');
  refused.addSubnet(`64:ff9b:1::${high}:${low}`, 96 + prefix, 'ipv6');
  refused.addSubnet(`2002:${high}:${low}::`, 16 + prefix, 'ipv6');
}

/**
 * Whether events must never be sent to this IP address: link-local and metadata addresses, also those
 * wrapped in IPv6. Loopback and private networks are allowed; what is no IP address is refused.
 */
export function isRefusedAddress(address: string): boolean {
  const [bare = ''] = address.split('%');
  if (isIPv4(bare)) return refused.check(bare, 'ipv4');
  return !isIPv6(bare) || refused.check(bare, 'ipv6');
}

function hexGroups(ipv4: string): [string, string] {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
  return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
}
