import { describe, expect, test } from 'vitest';

import { isRefusedAddress } from '../../../server-reference/src/sender/target-address.ts';
import { targetUrlProblem } from '../../../server-reference/src/sender/target-url.ts';

const NO_EVENT = 'names a link-local or metadata address, where no event is sent';

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
  ])('may be %s', (url) => {
    expect(targetUrlProblem(url)).toBeNull();
  });

  test.each([
    'http://169.254.169.254/latest/meta-data',
    'http://169.254.0.1/',
    'http://169.254.255.255/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://169.254.43518/',
    'http://0xa9.0xfe.0xa9.0xfe/',
    'http://①⑥⑨.254.169.254/',
    'http://169。254。169。254/',
    'http://169.254.169.254./',
    'http://[fe80::1]/',
    'http://[febf::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[::169.254.169.254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[64:ff9b:1::169.254.169.254]/',
    'http://[2002:a9fe:a9fe::1]/',
    'http://[::ffff:0:a9fe:a9fe]/',
    'http://[fd00:ec2::254]/',
    'http://[fd20:ce::254]/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
  ])('must not be %s', (url) => {
    expect(targetUrlProblem(url)).toBe(NO_EVENT);
  });

  test.each([
    ['/hook', 'must be an absolute URL'],
    ['', 'must be an absolute URL'],
    ['http://', 'must be an absolute URL'],
    ['ftp://example.com/', 'must begin with http or https'],
    ['file:///etc/passwd', 'must begin with http or https'],
    ['http://user:pass@example.com/', 'must not carry a user name or password'],
    ['http://example.com/#a', 'must not carry a fragment'],
  ])('must not be %j', (url, problem) => {
    expect(targetUrlProblem(url)).toBe(problem);
  });
});

test('a resolved address is judged with its zone, and what is no address is refused', () => {
  expect(isRefusedAddress('fe80::1%eth0')).toBe(true);
  expect(isRefusedAddress('::1')).toBe(false);
  expect(isRefusedAddress('127.0.0.1')).toBe(false);
  expect(isRefusedAddress('nonsense')).toBe(true);
});
