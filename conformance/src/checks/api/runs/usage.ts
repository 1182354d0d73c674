import { area } from '../../../check-kit/area.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { expectAllowed, assumeSuccess, show, violation } from '../../../check-kit/expect.ts';
import { isRecord, membersOf } from '../../../http/message.ts';

const runUsage = area('api.run-usage', { access: 'read', needs: ['key.main', 'fixture.runId'] });

const TOKENS = ['input', 'output', 'cacheRead', 'cacheWrite'];
const NUMBERS = ['creditsCharged', 'durationMs', 'llmCallCount', 'ocrPagesProcessed', 'agentTurns'];

/** What a run consumed. */
export const usageChecks: readonly Check[] = [
  runUsage.check({
    name: 'response',
    requirements: ['run-usage.response'],
    title: 'responds with a 2xx to a request for the usage of a run',
    async run(context) {
      expectAllowed(await ask(context));
    },
  }),
  runUsage.check({
    name: 'wrapped',
    requirements: ['run-usage.wrapped', 'versioning.wire.json-bodies', 'run-usage.response'],
    title: 'the response has the usage as its member usage, an object',
    async run(context) {
      const response = await ask(context);
      assumeSuccess(response);
      const usage = isRecord(response.json) ? response.json['usage'] : undefined;
      if (!isRecord(usage)) throw violation('an object usage', show(usage), response);
    },
  }),
  runUsage.check({
    name: 'tokens',
    requirements: ['run-usage.tokens', 'run-usage.response'],
    title: `tokens has the integers ${TOKENS.join(', ')}`,
    async run(context) {
      const { usage, response } = await read(context);
      const tokens = isRecord(usage['tokens']) ? usage['tokens'] : {};
      const wrong = TOKENS.find((name) => !Number.isInteger(tokens[name]));
      if (wrong !== undefined) {
        throw violation(`an integer tokens.${wrong}`, show(tokens[wrong]), response);
      }
    },
  }),
  runUsage.check({
    name: 'numbers',
    requirements: ['run-usage.numbers', 'run-usage.response'],
    title: `${NUMBERS.join(', ')} are numbers`,
    async run(context) {
      const { usage, response } = await read(context);
      const wrong = NUMBERS.find((name) => typeof usage[name] !== 'number');
      if (wrong !== undefined) {
        throw violation(`a number ${wrong}`, show(usage[wrong]), response);
      }
    },
  }),
];

function usagePath(runId: string): string {
  return `/v1/runs/${encodeURIComponent(runId)}/usage`;
}

function ask(context: CheckContext): Promise<ApiResponse> {
  return context.api.sample({ path: usagePath(context.fixture('runId')) });
}

/** The usage, from its member or else from the response itself: another check judges the member. */
async function read(
  context: CheckContext,
): Promise<{ usage: Readonly<Record<string, unknown>>; response: ApiResponse }> {
  const response = await ask(context);
  assumeSuccess(response);
  const body = membersOf(response.json);
  return { usage: isRecord(body['usage']) ? body['usage'] : body, response };
}
