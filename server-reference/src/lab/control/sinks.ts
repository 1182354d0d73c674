import { ApiError, issue, notFound, ROOT } from '../../platform/http/api-error.ts';
import { fieldPath } from '../../platform/http/schema.ts';
import { labIssue } from '../error-codes.ts';
import type { LabServices } from './services.ts';
import { responseProblems, DEFAULT_SCRIPT } from '../sinks/script.ts';
import type { Script } from '../sinks/script.ts';
import type { Sink } from '../sinks/sink.ts';
import { MAX_SINKS } from '../sinks/sinks.ts';
import type { Sinks } from '../sinks/sinks.ts';
import { sinkView, summarise } from '../sinks/view.ts';
import type { ControlRoute } from './operation.ts';

/** Sinks: endpoints inside the server that show what arrived beside what was sent. */
export function sinkRoutes(services: LabServices): ControlRoute[] {
  return [
    openRoute(services),
    {
      operationId: 'listSinks',
      handle: async () => ({ status: 200, body: { data: services.sinks.list().map(summarise) } }),
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

/** The sink with this id, or 404. */
export function findSink(sinks: Sinks, id: string): Sink {
  const sink = sinks.find(id);
  if (sink === undefined) throw notFound('id', 'no sink has this id');
  return sink;
}

function openRoute({ sinks }: LabServices): ControlRoute<{ readonly responses?: Script }> {
  return {
    operationId: 'createSink',
    async handle({ body: { responses = DEFAULT_SCRIPT } }) {
      refuseUngivable(responses);
      const sink = await sinks.open(responses);
      if (sink === null) throw tooMany();
      return { status: 201, body: sinkView(sink) };
    },
  };
}

function changeRoute({ sinks }: LabServices): ControlRoute<{ readonly responses: Script }> {
  return {
    operationId: 'changeSink',
    async handle({ path, body: { responses } }) {
      const sink = findSink(sinks, path['id'] ?? '');
      refuseUngivable(responses);
      sink.script = responses;
      return { status: 200, body: sinkView(sink) };
    },
  };
}

function refuseUngivable(script: Script): void {
  const issues = script.flatMap((response, index) =>
    responseProblems(response).map(({ path, message }) =>
      issue('invalid_value', fieldPath(`/responses/${index}`, ...path), message),
    ),
  );
  if (issues.length > 0) throw new ApiError(400, issues.slice(0, 20));
}

function tooMany(): ApiError {
  const message = `there are ${MAX_SINKS} sinks already`;
  return new ApiError(409, [labIssue('too_many_sinks', ROOT, message)], {
    hint: 'Close those that have done their work: DELETE /_control/sinks/{id}.',
  });
}
