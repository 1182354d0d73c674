import { expect, it } from 'vitest';

import { TIMESTAMP_TOLERANCE_SECONDS } from '../../../receiver/src/generated/constants.ts';
import { PROCESSOR_NUMBERS } from '../../../receiver/src/processing/working-options.ts';
import { INGRESS_NUMBERS } from '../../../receiver/src/receive/ingress-settings.ts';
import { RUN_NUMBERS } from '../../../receiver/src/runs/run-settings.ts';
import { receiverOptions } from './options.ts';

it('every number that the doc comment of an option states as default is the one that is used', () => {
  const tables = Object.entries({ ...PROCESSOR_NUMBERS, ...RUN_NUMBERS, ...INGRESS_NUMBERS });
  const used = {
    ...Object.fromEntries(tables.map(([name, option]) => [name, option.default] as const)),
    toleranceSeconds: TIMESTAMP_TOLERANCE_SECONDS,
  };
  const stated = receiverOptions().flatMap(({ name, text }) => {
    const [, number] = /Default: ([\d,]+)/.exec(text) ?? [];
    return number === undefined ? [] : [[name, Number(number.replaceAll(',', ''))] as const];
  });
  expect(Object.fromEntries(stated)).toEqual(used);
});
