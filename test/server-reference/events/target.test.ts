import { networkInterfaces } from 'node:os';

import { describe, expect, test } from 'vitest';

import { targetUrlProblem } from '../../../server-reference/src/events/target.ts';

const OWN_PORTS = new Set([80, 443, 4010]);
const NONE = new Set<number>();

describe('an endpoint URL', () => {
  test.each([
    ['a name', 'https://example.com/hook'],
    ['a name that begins with a refused address', 'http://169.254.0.0.example.com/'],
    ['a name in another script', 'http://müller.example/ü'],
    ['escaped blanks', 'http://example.com/a%20b%0A?c=%09'],
    ['loopback', 'http://127.0.0.1:8080/'],
    ['loopback of IPv6', 'http://[::1]:9/x'],
    ['localhost', 'http://localhost/'],
    ['a private network', 'http://10.1.2.3/'],
    ['a private network of IPv6', 'http://[fd12::1]/'],
    ['the address before the link-local ones', 'http://169.253.255.255/'],
    ['the address after the link-local ones', 'http://169.255.0.0/'],
  ])('can have %s', (_what, url) => {
    expect(targetUrlProblem(url, NONE)).toBeNull();
  });

  test.each([
    ['link-local', 'http://169.254.0.1/', '169.254.0.1'],
    ['link-local, in another notation', 'http://0xa9fea9fe/', '169.254.169.254'],
    ['link-local, in characters that look alike', 'http://①⑥⑨。254.169.254/', '169.254.169.254'],
    ['link-local of IPv6', 'http://[febf::1]/', 'febf::1'],
    ['mapped to IPv6', 'http://[::ffff:169.254.169.254]/', '::ffff:a9fe:a9fe'],
    ['compatible with IPv6', 'http://[::169.254.169.254]/', '::a9fe:a9fe'],
    ['translated to IPv6', 'http://[::ffff:0:a9fe:a9fe]/', '::ffff:0:a9fe:a9fe'],
    ['behind NAT64', 'http://[64:ff9b::a9fe:a9fe]/', '64:ff9b::a9fe:a9fe'],
    ['behind a local NAT64', 'http://[64:ff9b:1:a9fe:a9:fe00::]/', '64:ff9b:1:a9fe:a9:fe00::'],
    ['in 6to4', 'http://[2002:a9fe:a9fe::1]/', '2002:a9fe:a9fe::1'],
    ['metadata of a cloud', 'http://100.100.100.200/', '100.100.100.200'],
    ['metadata of a cloud, in 6to4', 'http://[2002:6464:64c8::]/', '2002:6464:64c8::'],
    ['metadata of a cloud in IPv6', 'http://[fd00:ec2::254]/', 'fd00:ec2::254'],
  ])('cannot have an address that is %s', (_what, url, address) => {
    expect(targetUrlProblem(url, NONE)).toBe(
      `points to ${address}, a link-local or cloud metadata address, which may serve credentials. ` +
        'Use the URL of your receiver; loopback and private networks are allowed.',
    );
  });

  const interfaces = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  test.each<[string, string, number?]>([
    ['http://127.0.0.1:4010/_control/worlds', '127.0.0.1'],
    ['http://127.0.0.1/', '127.0.0.1', 80],
    ['https://127.0.0.1/', '127.0.0.1', 443],
    ['http://127.8.9.10:4010/', '127.8.9.10'],
    ['http://0:4010/', '0.0.0.0'],
    ['http://[::1]:4010/', '::1'],
    ['http://[::]:4010/', '::'],
    ['http://[::ffff:127.0.0.1]:4010/', '::ffff:7f00:1'],
    ['http://[::ffff:0.0.0.0]:4010/', '::ffff:0:0'],
    ['http://[2002:7f00:1::]:4010/', '2002:7f00:1::'],
    ['http://LOCALHOST.:4010/', 'localhost.'],
    ['http://api.localhost:4010/', 'api.localhost'],
    ...interfaces
      .filter(({ scopeid = 0 }) => scopeid === 0)
      .map(({ address, family }): [string, string] => [
        `http://${family === 'IPv4' ? address : `[${address}]`}:4010/`,
        address,
      ]),
  ])('cannot be the server itself: %s', (url, host, port = 4010) => {
    expect(targetUrlProblem(url, OWN_PORTS)).toBe(
      `points to ${host} port ${port}, a port of this server, whose control interface a custom header could open. ` +
        'Use the URL of your receiver; other ports of this machine are allowed.',
    );
  });

  test.each([
    'http://127.0.0.1:4011/',
    'http://localhost:4011/',
    'http://localhost.example.com:4010/',
    'http://192.0.2.7:4010/',
    'http://[2001:db8::1]:4010/',
  ])('can be %s beside the server', (url) => {
    expect(targetUrlProblem(url, OWN_PORTS)).toBeNull();
  });

  test.each([
    ['/hook', 'must be an absolute URL'],
    ['http://', 'must be an absolute URL'],
    ['http://[fe80::1%eth0]/', 'must be an absolute URL'],
    ['ftp://example.com/', 'must start with http:// or https://'],
    ['http://user:pass@example.com/', 'must not contain a user name or password'],
    ['http://example.com/#a', 'must not contain a fragment'],
  ])('cannot be %j', (url, problem) => {
    expect(targetUrlProblem(url, NONE)).toBe(problem);
  });

  test.each([
    [' http://example.com/', 'U+0020 at index 0'],
    ['http://example.com/a b', 'U+0020 at index 20'],
    ['http://169.254\t.169.254/', 'U+0009 at index 14'],
    ['http://example.com/\u0085', 'U+0085 at index 19'],
    ['\ufeffhttp://example.com/', 'U+FEFF at index 0'],
  ])('cannot contain the blanks and control characters of %j', (url, found) => {
    expect(targetUrlProblem(url, NONE)).toBe(
      `must not contain whitespace or control characters, got ${found}; percent-encode it, such as %20`,
    );
  });
});
