import type { RunEvent } from '../generated/run-events.ts';
import type { Handler, HandlingContext } from './handlers.ts';
import { issuesText, Unfit } from '../worker/standard-schema.ts';
import type { SchemaIssue, StandardSchema } from '../worker/standard-schema.ts';

/** An event whose `data.run.output` was checked. */
export type EventWithOutput<Event extends RunEvent, Output> = Event & {
  /** As in the event. */
  data: {
    /** The run of the event. */
    run: {
      /** The output as the schema returns it. */
      output: Output;
    };
  };
};

/** An output that does not match its schema. */
class OutputMismatch extends Unfit {
  override readonly name = 'OutputMismatch';
  readonly issues: readonly SchemaIssue[];

  constructor(issues: readonly SchemaIssue[], isOmitted: boolean) {
    const fix = isOmitted ? ' The event omits its output: set fetchRun to read it.' : '';
    super(`data.run.output must match its schema, got ${issuesText(issues)}.${fix}`);
    this.issues = issues;
  }
}

/**
 * Returns a handler that gets `data.run.output` checked and typed by a schema of Zod, Valibot,
 * ArkType or another library with Standard Schema. The handler gets what the schema returns, for
 * instance with its defaults. An event whose output does not match becomes a dead letter at once,
 * with the reason `output_invalid` and the messages of the schema as its error, and `onError` gets
 * `output_invalid`. Correct the schema, then `redrive()` it. Only a completed run has an output:
 * for the other events of a handler such as `event` or `finalizing` the handler is not called,
 * unless the schema accepts `undefined`.
 *
 * @throws {TypeError} When the schema has no `~standard`, or the handler is not a function.
 * @example
 * ```ts
 * import { createReceiver, withOutput } from '@hookproof/receiver';
 * import { memoryStore } from '@hookproof/receiver/memory';
 * import { z } from 'zod';
 *
 * const invoice = z.object({ total: z.number() });
 *
 * export const receiver = createReceiver({
 *   secrets: 'whsec_c2VjcmV0',
 *   store: memoryStore(),
 *   handlers: {
 *     completed: withOutput(invoice, ({ data }) => console.log(data.run.output.total)),
 *   },
 * });
 * ```
 */
export function withOutput<Output, Event extends RunEvent = RunEvent, Tx = unknown>(
  schema: StandardSchema<unknown, Output>,
  handler: (event: EventWithOutput<Event, Output>, context: HandlingContext<Tx>) => unknown,
): Handler<Event, Tx> {
  const standard = schema?.['~standard'];
  if (typeof standard?.validate !== 'function') {
    throw new TypeError(
      `schema must have ~standard (Zod 3.24, Valibot 1, ArkType 2 or later), got ${schema === null ? 'null' : typeof schema} without it.`,
    );
  }
  if (typeof handler !== 'function') {
    throw new TypeError(`handler must be a function, got ${typeof handler}.`);
  }
  return async (event, context) => {
    const { run } = event.data;
    const result = await standard.validate(run.output);
    if (result.issues !== undefined) {
      const hasNone = run.output === undefined && run.outputOmitted !== true;
      if (hasNone && run.status !== 'completed') return undefined;
      const isOmitted = run.outputOmitted === true && !context.isOutputFetched;
      throw new OutputMismatch(result.issues, isOmitted);
    }
    const checked = {
      ...event,
      data: { ...event.data, run: { ...run, output: result.value } },
    };
    return handler(checked, context);
  };
}
