import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compareTimes, parseTime } from '../../receiver/src/time.ts';

const NOON = Date.parse('2026-07-01T12:00:00Z') / 1000;

function read(text: string) {
  const time = parseTime(text);
  if (time === null) throw new Error(`${text} is not read`);
  return time;
}

describe('parseTime', () => {
  it.each([
    '2026-07-01T12:00:00Z',
    '2026-07-01T12:00:00.000000000Z',
    '2026-07-01T14:00:00+02:00',
    '2026-06-30T23:30:00-12:30',
    '2026-07-01T12:00:00-00:00',
    '2026-07-01t12:00:00z',
    '2026-07-01T12:00Z',
    '2026-07-01T14:00+02:00',
    '2026-07-01T14:00:00+0200',
    '2026-07-01T14:00+02',
    '2026-07-01T12:00:00',
    '2026-07-01T12:00',
  ])('reads %s', (text) => {
    expect(parseTime(text)).toEqual({ seconds: NOON, fraction: '' });
  });

  it.each([
    ['2026-07-01T12:00:00.123456789Z', '123456789'],
    ['2026-07-01T12:00:00.10Z', '1'],
    ['2026-07-01T12:00:00.0001Z', '0001'],
    ['2026-07-01T12:00:00.123456', '123456'],
    ['2026-07-01T14:00:00.123+0200', '123'],
  ])('reads the fraction of %s exactly', (text, fraction) => {
    expect(parseTime(text)).toEqual({ seconds: NOON, fraction });
  });

  it('reads a leap second as the first second of the next day, and at the end of a UTC day only', () => {
    const midnight = { seconds: Date.parse('2017-01-01T00:00:00Z') / 1000, fraction: '' };
    expect(parseTime('2016-12-31T23:59:60Z')).toEqual(midnight);
    expect(parseTime('2017-01-01T05:29:60.5+05:30')).toEqual({ ...midnight, fraction: '5' });
    expect(parseTime('2016-12-31T12:00:60Z')).toBeNull();
    expect(parseTime('2016-12-31T23:59:60+01:00')).toBeNull();
  });

  it.each([
    '',
    'yesterday',
    '1782907200',
    'Wed, 01 Jul 2026 12:00:00 GMT',
    '2026-07-01',
    '2026-07-01 12:00:00Z',
    '2026-07-01T',
    '2026-07-01T12:00:00ZZ',
    '2026-07-01T12:00:00Z ',
    '2026-07-01T12:00:00Z\n',
    '2026-07-01T12:00:00.Z',
    '2026-7-1T12:00:00Z',
    '20260701T120000Z',
    '2026-W27-3T12:00:00Z',
    '2026-182T12:00:00Z',
    '+002026-07-01T12:00:00Z',
    '2026-02-29T12:00:00Z',
    '2026-04-31T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-00-10T12:00:00Z',
    '2026-07-00T12:00:00Z',
    '2026-07-01T24:00:00Z',
    '2026-07-01T25:00:00Z',
    '2026-07-01T12:60:00Z',
    '2026-07-01T12:00:61Z',
    '2026-07-01 12:00',
    '2026-07-01T12',
    '2026-07-01T12Z',
    '2026-07-01T12:00.5Z',
    '2026-07-01T12:00:00,5Z',
    '2026-07-01T12:00:00+2',
    '2026-07-01T12:00:00+020',
    '2026-07-01T12:00:00+02:',
    '2026-07-01T12:00:00Z+02:00',
    '2026-07-01T12:00:00+24:00',
    '2026-07-01T12:00:00+02:60',
    '2026-07-01T12:00:00\u221202:00',
    '\uFF12\uFF10\uFF12\uFF16-07-01T12:00:00Z',
  ])('refuses %j', (text) => {
    expect(parseTime(text)).toBeNull();
  });

  it('agrees with Date for every millisecond that Date can write in four digits of a year', () => {
    const date = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, (moment) => {
        const { seconds, fraction } = read(moment.toISOString());
        expect(seconds * 1000 + Number(fraction.padEnd(3, '0'))).toBe(moment.getTime());
      }),
      { numRuns: 5_000 },
    );
  });

  it('reads the same moment with every offset', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1000-01-02'), max: new Date('9990-01-01'), noInvalidDate: true }),
        fc.integer({ min: -1439, max: 1439 }),
        (moment, minutes) => {
          const utc = moment.toISOString().slice(0, 19);
          const local = new Date(Date.parse(`${utc}Z`) + minutes * 60_000).toISOString();
          const parts = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
          const [hour, minute] = parts.map((part) => String(part).padStart(2, '0'));
          const text = `${local.slice(0, 19)}.5${minutes < 0 ? '-' : '+'}${hour}:${minute}`;
          expect(read(text), text).toEqual(read(`${utc}.5Z`));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('reads a fraction of a million digits in linear time', () => {
    const zeros = '0'.repeat(1_000_000);
    expect(read(`2026-07-01T12:00:00.${zeros}1Z`).fraction).toHaveLength(1_000_001);
    expect(read(`2026-07-01T12:00:00.${zeros}Z`).fraction).toBe('');
    expect(parseTime(`2026-07-01T12:00:00.${zeros}X`)).toBeNull();
  });
});

describe('compareTimes', () => {
  it('compares every digit of the fraction', () => {
    const digits = fc.stringMatching(/^\d{1,40}$/);
    fc.assert(
      fc.property(digits, digits, (left, right) => {
        const [one, other] = [left, right].map((text) => read(`2026-07-01T12:00:00.${text}Z`));
        const width = Math.max(left.length, right.length);
        const difference = BigInt(left.padEnd(width, '0')) - BigInt(right.padEnd(width, '0'));
        if (one === undefined || other === undefined) throw new Error('two times are read');
        expect(Math.sign(compareTimes(one, other))).toBe(
          difference === 0n ? 0 : difference < 0n ? -1 : 1,
        );
      }),
      { numRuns: 5_000 },
    );
  });
});
