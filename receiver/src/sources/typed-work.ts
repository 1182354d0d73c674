import { mustBe, refusal } from '../verify/errors.ts';
import { parseJson } from '../verify/raw-body.ts';
import type { EventContext } from '../worker/event-context.ts';
import { nextDue, nextSerial } from '../worker/next-event.ts';
import type { Call, SourceWork } from '../worker/source-work.ts';
import { issuesText } from '../worker/standard-schema.ts';
import type { SourceEvent, SourceHandler } from './source-event.ts';
import type { Source } from './source.ts';

/** How the events of a source without runs are handled: their handlers are named by their types. */
export function typedWork<Tx>(name: string, source: Source, handlers: unknown): SourceWork<Tx> {
  const lists: Readonly<Record<string, SourceHandler<unknown, Tx>>>[] = [];
  const reported = new Set(source.silentTypes ?? []);
  const work: SourceWork<Tx> = {
    walk: null,
    add(added) {
      checkHandlers(name, added);
      lists.push(added);
    },
    requireHandler(handler) {
      if (typeof handler === 'string' && handler !== '') return;
      throw new TypeError(mustBe('handler', 'the type of an event', typeof handler));
    },
    next: ({ open }, moment) =>
      source.order === 'serial'
        ? nextSerial(open.values(), moment)
        : nextDue(open.values(), moment),
    async plan({ key }, { id, handler, facts }, body, { report }) {
      const type = handler ?? '';
      const payload = parseJson(body);
      const data = await checkedData(source, payload);
      const event = { source: name, id, type, key, createdAt: createdAtIn(facts), data, payload };
      const names = type === 'event' ? ['event'] : ['event', type];
      const calls = lists.flatMap((list) => names.flatMap((each) => callOf(each, list, event)));
      if (calls.length === 0 && !reported.has(type)) {
        reported.add(type);
        const message =
          `Event of ${source.sender} must have a handler, but none is named ${JSON.stringify(type)} or event; ` +
          'it was skipped, as others of this type are. Add one, or let the sender leave them out.';
        report({ code: 'event_unknown', message, eventId: id, runId: null });
      }
      return { calls, settlesJob: false, about: { handler: type, order: null } };
    },
    leastWait: () => 0,
  };
  work.add(handlers ?? {});
  return work;
}

/** @throws {WebhookVerificationError} `event_invalid` when the schema does not accept it. */
async function checkedData(source: Source, payload: unknown): Promise<unknown> {
  const data = source.data(payload);
  if (source.schema === undefined) return data;
  const result = await source.schema['~standard'].validate(data);
  if (result.issues === undefined) return result.value;
  const expected = 'as its schema says';
  throw refusal('event', 'event_invalid', 'data', expected, issuesText(result.issues));
}

function callOf<Tx>(
  name: string,
  list: Readonly<Record<string, SourceHandler<unknown, Tx>>>,
  event: SourceEvent,
): readonly Call<EventContext<Tx>>[] {
  const handler = Object.hasOwn(list, name) ? list[name] : undefined;
  return handler === undefined ? [] : [{ name, run: (context) => handler(event, context) }];
}

/** Writes what a source says beside the columns of a store. */
export function factsOf(createdAt: string | null): string | null {
  return createdAt === null ? null : JSON.stringify({ createdAt });
}

function createdAtIn(facts: string | null): string | null {
  if (facts === null) return null;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `factsOf` wrote it
  return (JSON.parse(facts) as { readonly createdAt: string }).createdAt;
}

function checkHandlers<Tx>(
  source: string,
  handlers: unknown,
): asserts handlers is Readonly<Record<string, SourceHandler<unknown, Tx>>> {
  if (typeof handlers !== 'object' || handlers === null) {
    const received = handlers === null ? 'null' : typeof handlers;
    throw new TypeError(mustBe(`handlers.${source}`, 'an object of functions', received));
  }
  for (const [name, handler] of Object.entries(handlers)) {
    if (handler === undefined || typeof handler === 'function') continue;
    throw new TypeError(mustBe(`handlers.${source}.${name}`, 'a function', typeof handler));
  }
}
