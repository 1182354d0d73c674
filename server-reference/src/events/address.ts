import { BlockList, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Link-local networks and the metadata addresses of clouds, which serve credentials. */
const REFUSED_NETWORKS: readonly string[] = [
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
/** `host.docker.internal` in a rootless container of Podman from 5.3 on: its host, which serves no credentials there. */
const PODMAN_HOST = '169.254.1.2';
/** Addresses of this machine that do not depend on its networks. */
const LOOPBACK = blockList(['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128']);

/**
 * Returns why no event is sent to this IP address, or null. Link-local and metadata addresses are refused, loopback
 * and private networks are allowed.
 */
export function addressRefusal(address: string): string | null {
  if (address === PODMAN_HOST || !isListed(CREDENTIALS, address)) return null;
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

/** Lists networks, and the IPv6 networks that stand for those of IPv4. `BlockList` itself knows `::ffff:0:0/96`. */
function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', text] = network.split('/');
    const prefix = Number(text);
    if (!isIPv4(address)) {
      list.addSubnet(address, prefix, 'ipv6');
      continue;
    }
    list.addSubnet(address, prefix, 'ipv4');
    for (const translated of ['::', '::ffff:0:', '64:ff9b::']) {
      list.addSubnet(translated + address, 96 + prefix, 'ipv6');
    }
    const hex = Buffer.from(address.split('.').map(Number)).toString('hex');
    list.addSubnet(`2002:${hex.slice(0, 4)}:${hex.slice(4)}::`, 16 + prefix, 'ipv6');
  }
  return list;
}

function ownAddresses(): BlockList {
  const interfaces = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return blockList(
    interfaces.map(({ address, family }) => `${address}/${family === 'IPv4' ? 32 : 128}`),
  );
}

/** A zone is ignored. */
function isListed(list: BlockList, address: string): boolean {
  const [bare = ''] = address.split('%');
  return list.check(bare, isIPv4(bare) ? 'ipv4' : 'ipv6');
}
