import { describe, expect, test } from 'vitest';

import { renderAnnotations } from '@hookproof/conformance';

import { sampleCheck, sampleRed, sampleReport } from './sample-report.ts';

const TARGET = 'Hookproof: API https://api.example';
const HOSTILE = 'a%0Ab\r\n::error::c, d: e';

/** Reads workflow commands by the rules of the runner: a line is a command, and its escapes are undone. */
function commands(text: string): { kind: string; title: string; message: string }[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, kind = '', title = '', message = ''] =
        /^::(\w+) title=([^,:]*)::(.*)$/.exec(line) ?? [];
      return { kind, title: unescape(title), message: unescape(message) };
    });
}

function unescape(text: string): string {
  return text
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%25', '%');
}

describe('the annotations of GitHub Actions', () => {
  test('are an error for a fail and a warning for advice', () => {
    const red = sampleRed('x');
    const checks = [red, { ...red, verdict: 'advice' as const }, sampleCheck()];
    const found = commands(renderAnnotations(sampleReport(checks, { exitCode: 1 })));
    expect(found.map(({ kind, title }) => [kind, title])).toEqual([
      ['error', 'api.sample.red'],
      ['warning', 'api.sample.red'],
    ]);
  });

  test('keep each text of a target within its command', () => {
    const checks = [{ ...sampleRed(HOSTILE), id: HOSTILE }];
    const found = commands(renderAnnotations(sampleReport(checks, { exitCode: 1 })));
    expect(found).toEqual([
      {
        kind: 'error',
        title: HOSTILE,
        message: `${HOSTILE}\n${HOSTILE}\nsample.rule: ${HOSTILE}\n${TARGET}`,
      },
    ]);
  });

  test('are ten of a kind at most: the last one counts the others', () => {
    const checks = Array.from({ length: 12 }, () => sampleRed('x'));
    const found = commands(renderAnnotations(sampleReport(checks, { exitCode: 1 })));
    expect(found).toHaveLength(10);
    expect(found.at(-1)?.message).toBe('3 more: see the report of this run.');
  });

  test('name an outcome that no check states', () => {
    const report = sampleReport([], { exitCode: 4, headline: 'unreachable: x' });
    expect(commands(renderAnnotations(report))).toEqual([
      { kind: 'error', title: TARGET, message: 'unreachable: x' },
    ]);
    expect(renderAnnotations(sampleReport([]))).toBe('');
  });
});
