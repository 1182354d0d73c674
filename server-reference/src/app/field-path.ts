import { ROOT } from './api-error.ts';

const NAME = /^[A-Za-z_$][A-Za-z0-9_$-]*$/;

/** Turns a JSON pointer such as `/focusFields/0/path` into `focusFields[0].path`; the root is `<root>`. */
export function fieldPath(pointer: string, ...more: readonly string[]): string {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const path = [...steps, ...more].reduce((before, step) => before + asStep(before, step), '');
  return path === '' ? ROOT : path;
}

function asStep(before: string, step: string): string {
  if (/^[0-9]+$/.test(step)) return `[${step}]`;
  if (!NAME.test(step)) return `[${JSON.stringify(step)}]`;
  return before === '' ? step : `.${step}`;
}
