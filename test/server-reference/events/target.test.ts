import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

import { describe, expect, test } from 'vitest';

import { addressRefusal, ownPortRefusal } from '../../../server-reference/src/events/address.ts';
import { targetUrlProblem } from '../../../server-reference/src/events/target.ts';

const OWN_PORTS = new Set([80, 443, 4010]);
const NONE = new Set<number>();

describe('an endpoint URL', () => {
  test.each([
    'https://example.com/hook',
    'http://127.0.0.1:8080/',
    'http://localhost/',
    'http://[::1]:9/x',
    'http://10.1.2.3/',
    'http://192.168.0.1/',
    'http://172.16.0.1/',
    'http://[fd12::1]/',
    'http://169.253.255.255/',
    'http://169.255.0.0/',
    'http://169.254.0.0.example.com/',
    'http://example.com/a%20b%0A?c=%09',
    'http://müller.example/ü',
  ])('can be %s', (url) => {
    expect(targetUrlProblem(url, NONE)).toBeNull();
  });

  test.each([
    ['http://169.254.169.254/latest/meta-data', '169.254.169.254'],
    ['http://169.254.0.1/', '169.254.0.1'],
    ['http://169.254.255.255:8080/', '169.254.255.255'],
    ['http://2852039166/', '169.254.169.254'],
    ['http://0xa9fea9fe/', '169.254.169.254'],
    ['http://025177524776/', '169.254.169.254'],
    ['http://0251.0376.0251.0376/', '169.254.169.254'],
    ['http://169.254.43518/', '169.254.169.254'],
    ['http://169.16689662/', '169.254.169.254'],
    ['http://0xa9.0xfe.0xa9.0xfe/', '169.254.169.254'],
    ['http://0xa9.254.0251.254/', '169.254.169.254'],
    ['http://%31%36%39.254.169.254/', '169.254.169.254'],
    ['http://①⑥⑨.254.169.254/', '169.254.169.254'],
    ['http://１６９.254.169.254/', '169.254.169.254'],
    ['http://169。254。169。254/', '169.254.169.254'],
    ['http://169.254.169.254./', '169.254.169.254'],
    ['http:\\\\169.254.169.254\\', '169.254.169.254'],
    ['http:169.254.169.254', '169.254.169.254'],
    ['http://[fe80::1]/', 'fe80::1'],
    ['http://[febf::1]/', 'febf::1'],
    ['http://[::ffff:169.254.169.254]/', '::ffff:a9fe:a9fe'],
    ['http://[0:0:0:0:0:FFFF:A9FE:A9FE]/', '::ffff:a9fe:a9fe'],
    ['http://[::169.254.169.254]/', '::a9fe:a9fe'],
    ['http://[64:ff9b::a9fe:a9fe]/', '64:ff9b::a9fe:a9fe'],
    ['http://[64:ff9b:1::169.254.169.254]/', '64:ff9b:1::a9fe:a9fe'],
    ['http://[64:ff9b:1:a9fe:a9:fe00::]/', '64:ff9b:1:a9fe:a9:fe00::'],
    ['http://[2002:a9fe:a9fe::1]/', '2002:a9fe:a9fe::1'],
    ['http://[::ffff:0:a9fe:a9fe]/', '::ffff:0:a9fe:a9fe'],
    ['http://[fd00:ec2::254]/', 'fd00:ec2::254'],
    ['http://[fd00:ec2::23]/', 'fd00:ec2::23'],
    ['http://[fd00:42::42]/', 'fd00:42::42'],
    ['http://[fd20:ce::254]/', 'fd20:ce::254'],
    ['http://100.100.100.200/', '100.100.100.200'],
    ['http://[64:ff9b:1:6464:64:c800::]/', '64:ff9b:1:6464:64:c800::'],
    ['http://168.63.129.16/', '168.63.129.16'],
    ['http://192.0.0.192/', '192.0.0.192'],
  ])('cannot be %j', (url, address) => {
    expect(targetUrlProblem(url, NONE)).toBe(
      `points to ${address}, a link-local or cloud metadata address, which may serve credentials. ` +
        'Use the URL of your receiver; loopback and private networks are allowed.',
    );
  });

  test.each([
    ['http://127.0.0.1:4010/_control/worlds', '127.0.0.1'],
    ['http://127.0.0.1/', '127.0.0.1', 80],
    ['https://127.0.0.1/', '127.0.0.1', 443],
    ['https://127.0.0.1:4010/', '127.0.0.1'],
    ['http://127.1:4010/', '127.0.0.1'],
    ['http://127.8.9.10:4010/', '127.8.9.10'],
    ['http://2130706433:4010/', '127.0.0.1'],
    ['http://0x7f.1:4010/', '127.0.0.1'],
    ['http://0177.0.0.1:4010/', '127.0.0.1'],
    ['http://①②⑦.0.0.1:4010/', '127.0.0.1'],
    ['http://127.0.0.1.:4010/', '127.0.0.1'],
    ['http://0:4010/', '0.0.0.0'],
    ['http://0.0.0.0:4010/', '0.0.0.0'],
    ['http://[::1]:4010/', '::1'],
    ['http://[::]:4010/', '::'],
    ['http://[::ffff:127.0.0.1]:4010/', '::ffff:7f00:1'],
    ['http://[::ffff:0.0.0.0]:4010/', '::ffff:0:0'],
    ['http://[::127.0.0.1]:4010/', '::7f00:1'],
    ['http://[64:ff9b::127.0.0.1]:4010/', '64:ff9b::7f00:1'],
    ['http://[2002:7f00:1::]:4010/', '2002:7f00:1::'],
    ['http://localhost:4010/', 'localhost'],
    ['http://LOCALHOST.:4010/', 'localhost.'],
    ['http://api.localhost:4010/', 'api.localhost'],
    ['http://ｌocalhost:4010/', 'localhost'],
    ['http://localhost/', 'localhost', 80],
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
    'http://notlocalhost:4010/',
    'http://192.0.2.7:4010/',
    'http://[2001:db8::1]:4010/',
    'http://128.0.0.1:4010/',
    'http://[::1:0:0]:4010/',
  ])('can be %s beside the server', (url) => {
    expect(targetUrlProblem(url, OWN_PORTS)).toBeNull();
  });

  test.each([
    ['/hook', 'must be an absolute URL'],
    ['', 'must be an absolute URL'],
    ['http://', 'must be an absolute URL'],
    ['ftp://example.com/', 'must start with http:// or https://'],
    ['file:///etc/passwd', 'must start with http:// or https://'],
    ['http://user:pass@example.com/', 'must not contain a user name or password'],
    ['http://example.com/#a', 'must not contain a fragment'],
    ['http://[fe80::1%25eth0]/', 'must be an absolute URL'],
    ['http://[fe80::1%eth0]/', 'must be an absolute URL'],
  ])('cannot be %j', (url, problem) => {
    expect(targetUrlProblem(url, NONE)).toBe(problem);
  });

  test.each([
    [' http://example.com/', 'U+0020 at index 0'],
    ['http://example.com/ ', 'U+0020 at index 19'],
    ['http://example.com/a b', 'U+0020 at index 20'],
    ['http://example.com/?a= b', 'U+0020 at index 22'],
    ['http://exa mple.com/', 'U+0020 at index 10'],
    [' ', 'U+0020 at index 0'],
    ['http://169.254\t.169.254/', 'U+0009 at index 14'],
    ['http://169.254.169.254/\r\n', 'U+000D at index 23'],
    ['ht\ntp://example.com/', 'U+000A at index 2'],
    ['\u0000http://example.com/', 'U+0000 at index 0'],
    ['http://example.com/\u001f', 'U+001F at index 19'],
    ['http://example.com/\u007f', 'U+007F at index 19'],
    ['http://example.com/\u0085', 'U+0085 at index 19'],
    ['http://example.com/\u00a0', 'U+00A0 at index 19'],
    ['http://example.com/\u2028', 'U+2028 at index 19'],
    ['http://example.com/\u3000a', 'U+3000 at index 19'],
    ['\ufeffhttp://example.com/', 'U+FEFF at index 0'],
  ])('cannot contain the blanks and control characters of %j', (url, found) => {
    expect(targetUrlProblem(url, NONE)).toBe(
      `must not contain whitespace or control characters, got ${found}; percent-encode it, such as %20`,
    );
  });
});

test('a resolved address is checked with its zone, and an invalid address is refused', () => {
  expect(addressRefusal('fe80::1%eth0')).toContain('points to fe80::1%eth0, a link-local');
  expect(addressRefusal('::1')).toBeNull();
  expect(addressRefusal('127.0.0.1')).toBeNull();
  expect(addressRefusal('nonsense')).toBe('points to nonsense, which is not an IP address');
});

const interfaces = Object.values(networkInterfaces()).flatMap((all) => all ?? []);

test.each(interfaces.map(({ address }) => address))(
  'the address %s of this machine is the server itself on its ports only',
  (address) => {
    expect(ownPortRefusal(address, 4010, OWN_PORTS)).toContain(`${address} port 4010`);
    expect(ownPortRefusal(address, 4011, OWN_PORTS)).toBeNull();
    if (isIPv4(address)) {
      expect(ownPortRefusal(`::ffff:${address}`, 4010, OWN_PORTS)).not.toBeNull();
    }
  },
);
