import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { array, assert, constantFrom, nat, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { renderHtml, renderJson, renderTerminal } from '@hookproof/conformance';
import type { CheckReport, Report } from '@hookproof/conformance';

import { createRedactor } from '../../../conformance/src/redaction/redactor.ts';
import { sampleRed, sampleReport } from '../report/sample-report.ts';
import { readableRuns } from './readable.ts';
import { FORMS } from './secret-forms.ts';

const CHARACTERS = Array.from(
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+=~',
);

const secrets = string({ unit: constantFrom(...CHARACTERS), minLength: 16, maxLength: 44 })
  .filter((text) => new Set(text).size > 7)
  .map((text) => `hpk_${text}`);

/** Text of a target around a form. Short words, so that they are no part of the encoded text. */
const words = array(constantFrom('é', 'ü: ', ' «ö» ', '(', '\n', '<', ';', '§'), {
  maxLength: 6,
}).map((parts) => ` ${parts.join(' ')} `);

const RENDERERS: Readonly<Record<string, (report: Report) => string>> = {
  JSON: renderJson,
  terminal: (report) => renderTerminal(report),
  HTML: renderHtml,
};

/** A red in which a target shows a text wherever it can. */
function redOf(text: string): CheckReport {
  const red = sampleRed('x');
  return {
    ...red,
    message: text,
    violation: {
      ...(red.violation ?? expect.fail('a red has a violation')),
      expected: text,
      actual: text,
      exchange: {
        sentBy: 'suite',
        request: { method: 'GET', url: 'https://api.example/', headers: [], body: null },
        response: { status: 200, headers: [['x-echo', text]], body: text },
      },
    },
  };
}

test.each(Object.entries(FORMS))(
  'a secret %s leaves no 8 of its characters in any reading of a text',
  (_, form) => {
    assert(
      property(secrets, words, words, nat(60), (secret, before, after, cut) => {
        const redactor = createRedactor();
        redactor.add('HOOKPROOF_KEY', secret);
        const redacted = redactor.redact(before + form(secret, cut) + after);
        expect(readableRuns(redacted, secret)).toEqual([]);
        expect(redacted).toContain('$HOOKPROOF_KEY');
        expect(redacted.startsWith(before)).toBe(true);
        expect(redacted.endsWith(after)).toBe(true);
        expect(redactor.redact(redacted)).toBe(redacted);
      }),
      { numRuns: 8 },
    );
  },
);

test.each(Object.entries(RENDERERS))('no form of a secret is in the %s report', (_, render) => {
  assert(
    property(secrets, nat(60), (secret, cut) => {
      const redactor = createRedactor();
      redactor.add('HOOKPROOF_KEY', secret);
      const forms = Object.values(FORMS).map((form) => form(secret, cut));
      const report = redactor.redactAll(sampleReport(forms.map(redOf)));
      const page = render(report).replace(/<(style|script)>[^]*?<\/\1>/g, '');
      expect(readableRuns(page, secret)).toEqual([]);
    }),
    { numRuns: 1 },
  );
});

describe('ordinary text', () => {
  const SECRETS = Array.from({ length: 500 }, (_, number) => {
    const digest = createHash('sha256').update(`secret ${number}`);
    return number % 2 === 0
      ? `hpk_${digest.digest('hex').slice(0, 40)}`
      : `whsec_${digest.digest('base64')}`;
  });

  test('stays unchanged beside 500 secrets', () => {
    const redactor = createRedactor();
    for (const secret of SECRETS) redactor.add('HOOKPROOF_KEY', secret);
    const folder = new URL('../../../', import.meta.url);
    for (const name of ['spec/openapi.yaml', 'spec/vectors/signature.json', 'package-lock.json']) {
      const text = readFileSync(new URL(name, folder), 'utf8').slice(0, 300_000);
      expect(redactor.redact(text) === text, name).toBe(true);
    }
  });

  test('keeps words of the suite that a key has, and hides the key', () => {
    const redactor = createRedactor();
    redactor.add('HOOKPROOF_CONTROL_TOKEN', 'hookproof-control-token');
    const text = 'hookproof check --control-url URL --control-token "$HOOKPROOF_CONTROL_TOKEN"';
    expect(redactor.redact(text)).toBe(text);
    expect(redactor.redact('it is hookproof-control-token')).toBe('it is $HOOKPROOF_CONTROL_TOKEN');
  });
});
