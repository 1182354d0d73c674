import { isoTime } from '../../clock/clock.ts';
import { ROOT } from '../../domain-error.ts';
import { ApiError, issue, notFound } from '../../http/api-error.ts';
import { fieldPath } from '../../json.ts';
import { labIssue } from '../error-codes.ts';
import { DEFAULT_SCRIPT, responseProblems } from '../sinks/script.ts';
import type { Script } from '../sinks/script.ts';
import type { Sink } from '../sinks/sink.ts';
import { MAX_SINKS } from '../sinks/sinks.ts';
import type { Sinks } from '../sinks/sinks.ts';
import { sinkView, summarise } from '../sinks/view.ts';
import type { ControlRoute } from './operation.ts';
import { pageBy } from './page.ts';
import type { LabServices } from './services.ts';

/** Routes for sinks: webhook endpoints that record what was sent and what arrived. */
export function sinkRoutes(services: LabServices): ControlRoute[] {
  return [
    openRoute(services),
    {
      operationId: 'listSinks',
      async handle({ page }) {
        const body = pageBy(openingOf, services.sinks.list(), page, summarise);
        return { status: 200, body };
      },
    },
    {
      operationId: 'getSink',
      handle: async ({ path }) => ({
        status: 200,
        body: sinkView(findSink(services.sinks, path['id'] ?? '')),
      }),
    },
    changeRoute(services),
    {
      operationId: 'deleteSink',
      async handle({ path }) {
        const { id } = findSink(services.sinks, path['id'] ?? '');
        services.sinks.remove(id);
        return { status: 204 };
      },
    },
  ];
}

function openingOf({ id, createdAt }: Sink) {
  return { id, createdAt: isoTime(createdAt) };
}

/** Returns the sink with this id. Throws a 404. */
export function findSink(sinks: Sinks, id: string): Sink {
  const sink = sinks.find(id);
  if (sink === undefined) throw notFound('id', 'no sink has this id');
  return sink;
}

function openRoute({ sinks, changes }: LabServices): ControlRoute<{ readonly responses?: Script }> {
  return {
    operationId: 'createSink',
    async handle({ body: { responses = DEFAULT_SCRIPT } }) {
      refuseInvalidScript(responses);
      const sink = await sinks.open(responses);
      if (sink === null) throw tooMany();
      changes.announce();
      return { status: 201, body: sinkView(sink) };
    },
  };
}

function changeRoute({
  sinks,
  changes,
}: LabServices): ControlRoute<{ readonly responses: Script }> {
  return {
    operationId: 'changeSink',
    async handle({ path, body: { responses } }) {
      const sink = findSink(sinks, path['id'] ?? '');
      refuseInvalidScript(responses);
      sink.script = responses;
      changes.announce();
      return { status: 200, body: sinkView(sink) };
    },
  };
}

function refuseInvalidScript(script: Script): void {
  const issues = script.flatMap((response, index) =>
    responseProblems(response).map(({ path, message }) =>
      issue('invalid_value', fieldPath(`/responses/${index}`, ...path), message),
    ),
  );
  if (issues.length > 0) throw new ApiError(400, issues.slice(0, 20));
}

function tooMany(): ApiError {
  const message = `at most ${MAX_SINKS} sinks can be open, got one more`;
  return new ApiError(409, [labIssue('too_many_sinks', ROOT, message)], {
    hint: 'Close unused sinks with DELETE /_control/sinks/{id}.',
  });
}
