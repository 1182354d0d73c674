import { compareIsoTimes, parseIsoTime } from '@hookproof/receiver/order';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const NOON = Date.parse('2026-07-01T12:00:00Z') / 1000;

function read(text: string) {
  const time = parseIsoTime(text);
  if (time === null) throw new Error(`${text} is not read`);
  return time;
}

/** The basic format of a date or time. */
function basic(text: string): string {
  return text.replaceAll(/[-:]/g, '');
}

describe('parseIsoTime', () => {
  it.each([
    '2026-07-01T12:00:00Z',
    '2026-07-01T12:00:00.000000000Z',
    '2026-07-01T14:00:00+02:00',
    '2026-06-30T23:30:00-12:30',
    '2026-07-01T12:00:00-00:00',
  ])('reads %s, the usual spelling', (text) => {
    expect(parseIsoTime(text)).toEqual({
      seconds: NOON,
      fraction: '',
      isLeapSecond: false,
      isUsual: true,
    });
  });

  it.each([
    '2026-07-01T12:00Z',
    '2026-07-01T12Z',
    '2026-07-01T12:00:00',
    '2026-07-01T12',
    '2026-07-01t12:00:00z',
    '2026-07-01T12:00:00,000Z',
    '2026-07-01T14:00:00+0200',
    '2026-07-01T14:00:00+02',
    '2026-07-01T14:00:00+02:00:00',
    '2026-06-30T23:30:00\u221212:30',
    '20260701T120000Z',
    '20260701T1200Z',
    '20260701T140000+0200',
    '20260701T12',
    '2026-W27-3T12:00:00Z',
    '2026W273T120000Z',
    '2026-w27-3t12:00z',
    '2026-182T12:00:00Z',
    '2026182T120000Z',
  ])('reads %s, which other parsers refuse', (text) => {
    expect(parseIsoTime(text)).toEqual({
      seconds: NOON,
      fraction: '',
      isLeapSecond: false,
      isUsual: false,
    });
  });

  it.each([
    ['2026-07-01T12:00:00.123456789Z', 0, '123456789'],
    ['2026-07-01T12:00:00.10Z', 0, '1'],
    ['2026-07-01T12:00:00,0001Z', 0, '0001'],
    ['2026-07-01T12:00.5Z', 30, ''],
    ['2026-07-01T12:00,0001Z', 0, '006'],
    ['2026-07-01T12:59,999Z', 3599, '94'],
    ['2026-07-01T12.25Z', 900, ''],
    ['2026-07-01T12,3333333333333333333333Z', 1199, '99999999999999999988'],
  ])('reads the fraction of %s exactly', (text, seconds, fraction) => {
    expect(parseIsoTime(text)).toMatchObject({ seconds: NOON + seconds, fraction });
  });

  it.each([
    ['2026-07-01T24:00:00Z', '2026-07-02T00:00:00Z'],
    ['2026-07-01T24:00Z', '2026-07-02T00:00:00Z'],
    ['2026-07-01', '2026-07-01T00:00:00Z'],
    ['20260701', '2026-07-01T00:00:00Z'],
    ['2020-W53-5', '2021-01-01T00:00:00Z'],
    ['2021-W01-1', '2021-01-04T00:00:00Z'],
    ['2024-366', '2024-12-31T00:00:00Z'],
    ['2024-02-29T00:00Z', '2024-02-29T00:00:00Z'],
    ['0000-03-01T00:00Z', '0000-03-01T00:00:00Z'],
    ['1969-12-31T23:59Z', '1969-12-31T23:59:00Z'],
    ['2026-01-01T01:00+02', '2025-12-31T23:00:00Z'],
  ])('reads %s as %s', (text, usual) => {
    expect(compareIsoTimes(read(text), read(usual))).toBe(0);
    expect(read(usual).seconds).toBe(Date.parse(usual) / 1000);
  });

  it('reads a leap second between its neighbours, at the end of a UTC day only', () => {
    const times = [
      '2016-12-31T23:59:59.999Z',
      '2016-12-31T23:59:60Z',
      '2017-01-01T05:29:60.5+05:30',
      '2017-01-01T00:00:00Z',
    ].map(read);
    expect(times.toSorted(compareIsoTimes)).toEqual(times);
    expect(times.map(({ isLeapSecond }) => isLeapSecond)).toEqual([false, true, true, false]);
    expect(times[1]?.isUsual).toBe(false);
    expect(parseIsoTime('2016-12-31T12:00:60Z')).toBeNull();
    expect(parseIsoTime('2016-12-31T23:59:60+01:00')).toBeNull();
  });

  it.each([
    '',
    'yesterday',
    '1782907200',
    'Wed, 01 Jul 2026 12:00:00 GMT',
    '2026-07-01 12:00:00Z',
    '2026-07-01T',
    '2026-07-01T12:00:00ZZ',
    '2026-07-01T12:00:00Z ',
    '2026-07-01T12:00:00.Z',
    '2026-07-01T12:0000Z',
    '2026-0701T12:00:00Z',
    '2026-7-1T12:00:00Z',
    '2026-02-29T12:00:00Z',
    '2026-04-31T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-00-10T12:00:00Z',
    '2026-07-00T12:00:00Z',
    '2026-07-01T25:00:00Z',
    '2026-07-01T24:00:01Z',
    '2026-07-01T24:00:00.1Z',
    '2026-07-01T24,5Z',
    '2026-07-01T12:60:00Z',
    '2026-07-01T12:00:61Z',
    '2026-07-01T12:00:00+24:00',
    '2026-07-01T12:00:00+02:60',
    '2026-07-01T12:00:00+2',
    '2026-W54-1T12:00:00Z',
    '2025-W53-1T12:00:00Z',
    '2026-W27-0T12:00:00Z',
    '2026-W27-8T12:00:00Z',
    '2026-366T12:00:00Z',
    '2026-000T12:00:00Z',
    '\uFF12\uFF10\uFF12\uFF16-07-01T12:00:00Z',
    '2026-07-01T12:00:00Z\n',
  ])('refuses %j', (text) => {
    expect(parseIsoTime(text)).toBeNull();
  });

  it('agrees with Date for every millisecond that Date can write in four digits of a year', () => {
    const date = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, (moment) => {
        const { seconds, fraction, isUsual } = read(moment.toISOString());
        expect(seconds * 1000 + Number(fraction.padEnd(3, '0'))).toBe(moment.getTime());
        expect(isUsual).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('reads one moment from every spelling of it', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1000-01-02'), max: new Date('9990-01-01'), noInvalidDate: true }),
        fc.stringMatching(/^\d{0,30}$/),
        fc.nat(23),
        fc.nat(59),
        (moment, digits, hours, minutes) => {
          const utc = moment.toISOString().slice(0, 19);
          const local = new Date(Date.parse(`${utc}Z`) + (hours * 60 + minutes) * 60_000);
          const offset = `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
          const text = local.toISOString().slice(0, 19);
          const point = digits === '' ? '' : `.${digits}`;
          const comma = point.replace('.', ',');
          const first = read(`${utc}${point}Z`);
          for (const spelling of [
            `${utc}${point}`,
            `${utc}${comma}Z`.toLowerCase(),
            `${text}${point}+${offset}`,
            `${text}${comma}+${basic(offset)}`,
            `${basic(text)}${point}+${offset}`,
            `${basic(utc)}${comma}Z`,
          ]) {
            expect(compareIsoTimes(read(spelling), first), spelling).toBe(0);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('reads a fraction of a million digits in linear time', () => {
    const zeros = '0'.repeat(1_000_000);
    expect(read(`2026-07-01T12:00:00.${zeros}1Z`).fraction).toHaveLength(1_000_001);
    expect(read(`2026-07-01T12:00,${zeros}1Z`).fraction).toHaveLength(1_000_000);
    expect(parseIsoTime(`2026-07-01T12:00:00.${zeros}`)?.fraction).toBe('');
  });
});

describe('compareIsoTimes', () => {
  it('compares every digit of the fraction', () => {
    const digits = fc.stringMatching(/^\d{1,40}$/);
    fc.assert(
      fc.property(digits, digits, (left, right) => {
        const [one, other] = [left, right].map((text) => read(`2026-07-01T12:00:00.${text}Z`));
        const width = Math.max(left.length, right.length);
        const difference = BigInt(left.padEnd(width, '0')) - BigInt(right.padEnd(width, '0'));
        if (one === undefined || other === undefined) throw new Error('two times are read');
        expect(Math.sign(compareIsoTimes(one, other))).toBe(
          difference === 0n ? 0 : difference < 0n ? -1 : 1,
        );
      }),
      { numRuns: 5_000 },
    );
  });
});
