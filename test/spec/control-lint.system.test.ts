import { fileURLToPath } from 'node:url';
import { createConfig, lint } from '@redocly/openapi-core';
import { expect, test } from 'vitest';

test.each(['spec/control.yaml', 'spec/generated/control.json'])(
  '%s passes the recommended rules of a public linter',
  async (path) => {
    const ref = fileURLToPath(new URL(`../../${path}`, import.meta.url));
    const problems = await lint({ ref, config: await createConfig({ extends: ['recommended'] }) });
    expect(
      problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId} ${message}`),
    ).toEqual([]);
  },
);
