import type { StepResult } from '@hookproof/conformance';

const ORIGINS = ['top-level', 'invoke-workflow', 'evaluation'] as const;
const TEXTS = ['endpointId', 'secret', 'runId', 'eventId'] as const;

/** What a command printed about a step that it did: nothing, or a JSON object as its last line. */
export function resultOf(output: string): StepResult {
  const line = output.trim().split('\n').at(-1) ?? '';
  if (line === '') return { kind: 'done' };
  let printed: unknown;
  try {
    printed = JSON.parse(line);
  } catch {
    printed = undefined;
  }
  if (typeof printed !== 'object' || printed === null || Array.isArray(printed)) {
    return malformed('a JSON object as its last line', line);
  }
  const values = new Map<string, unknown>(Object.entries(printed));
  const origin = ORIGINS.find((one) => one === values.get('origin'));
  if (values.has('origin') && origin === undefined) {
    return malformed(
      `origin as one of ${ORIGINS.join(', ')}`,
      JSON.stringify(values.get('origin')),
    );
  }
  const found: Partial<Record<(typeof TEXTS)[number], string>> = {};
  for (const name of TEXTS) {
    const value = values.get(name);
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') return malformed(`${name} as a string`, JSON.stringify(value));
    found[name] = value;
  }
  const named = origin === undefined ? {} : { origin };
  return { kind: 'done', ...found, ...named, headers: values.get('headers') === true };
}

function malformed(expected: string, actual: string): StepResult {
  return {
    kind: 'failed',
    message: `the command must print ${expected}, got ${actual.slice(0, 200)}`,
  };
}
