import { withOutput } from '@hookproof/receiver';
import type { StandardSchema } from '@hookproof/receiver';
import { runCreatedEvent, runTimeline } from '@hookproof/receiver/testing';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';

import { startedReceiver } from '../started-receiver.ts';
import { untyped } from '../verify-delivery.ts';

const completed = (output: unknown) =>
  runTimeline(['pending', 'running', 'completed'], { run: { output } });

interface Invoice {
  readonly total: number;
}
const schemas: readonly (readonly [string, StandardSchema<unknown, Invoice>])[] = [
  ['Zod', z.object({ total: z.number() })],
  ['Valibot', v.object({ total: v.number() })],
  ['ArkType', type({ total: 'number' })],
];

describe.each(schemas)('an output with a schema of %s', (_, schema) => {
  it('reaches the handler when it matches', async () => {
    const totals: number[] = [];
    const { deliver } = await startedReceiver({
      handlers: { completed: withOutput(schema, ({ data }) => totals.push(data.run.output.total)) },
    });
    await deliver(...completed({ total: 3 }));
    expect(totals).toEqual([3]);
  });

  it('is a dead letter at once when it does not', async () => {
    const { deliver, advance, receiver, problems } = await startedReceiver({
      handlers: { completed: withOutput(schema, () => expect.fail('must not be called')) },
    });
    await deliver(...completed({ total: 'three' }));
    await advance(1_000_000);
    const { items } = await receiver.deadLetters();
    const error = expect.stringMatching(
      /^OutputMismatch: data\.run\.output must match its schema, got total: /,
    );
    expect(items).toMatchObject([{ reason: 'output_invalid', error, attempts: 1 }]);
    expect(problems).toMatchObject([{ code: 'output_invalid', cause: { code: 'output_invalid' } }]);
  });
});

it('gives the handler of a status its event, and what the schema returns', async () => {
  const invoice = z.object({ total: z.number().default(1), at: z.coerce.date().optional() });
  const seen: unknown[] = [];
  const { deliver } = await startedReceiver({
    handlers: {
      completed: withOutput(invoice, ({ data: { run } }) => {
        expectTypeOf(run.status).toEqualTypeOf<'completed'>();
        expectTypeOf(run.output.total).toEqualTypeOf<number>();
        seen.push(run.output);
      }),
    },
  });
  await deliver(...completed({}));
  expect(seen).toEqual([{ total: 1 }]);
});

it('waits for a schema that is asynchronous', async () => {
  const schema = z.object({ total: z.number().refine(async (total) => total > 2) });
  const { deliver, receiver } = await startedReceiver({
    handlers: { completed: withOutput(schema, () => {}) },
  });
  await deliver(...completed({ total: 1 }));
  expect((await receiver.deadLetters()).items).toMatchObject([{ reason: 'output_invalid' }]);
});

it('names what to do when the event omits its output', async () => {
  const { deliver, receiver } = await startedReceiver({
    handlers: { event: withOutput(z.object({}), () => {}) },
  });
  await deliver(runCreatedEvent({ run: { outputOmitted: true } }));
  const error = expect.stringContaining('The event omits its output: set fetchRun to read it.');
  expect((await receiver.deadLetters()).items).toMatchObject([{ error }]);
});

it('refuses what is no schema or no handler', () => {
  expect(() => withOutput(untyped({ parse: () => {} }), () => {})).toThrow(
    /schema must have ~standard/,
  );
  expect(() => withOutput(z.unknown(), untyped(null))).toThrow(/handler must be a function/);
});

it('event: withOutput() is not called for events without an output, which are handled', async () => {
  const outputs: unknown[] = [];
  const schema = z.object({ total: z.number() });
  const { deliver, receiver, problems } = await startedReceiver({
    handlers: { event: withOutput(schema, ({ data }) => outputs.push(data.run.output)) },
  });
  await deliver(...completed({ total: 3 }));
  expect([outputs, problems]).toEqual([[{ total: 3 }], []]);
  expect(await receiver.stats()).toMatchObject({ open: 0, dead: 0 });
  const missing = runTimeline(['completed'], { run: { id: 'exec_2' } });
  await deliver(...missing);
  expect(problems).toMatchObject([{ code: 'output_invalid' }]);
});
