import { BlockList, isIP, isIPv4 } from 'node:net';

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
