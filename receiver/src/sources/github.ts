import { knownOptions } from '../argument-checks.ts';
import { HEADER_FORMS } from '../verify/header-forms.ts';
import type { Secrets } from '../verify/secrets.ts';
import { textSecrets } from '../verify/secrets.ts';
import { signingKey } from '../verify/signing-key.ts';
import { explained } from './explained.ts';
import { judge, malformed } from './judge.ts';
import { describeBody, member, textOrNull } from './payload.ts';
import { sourceOptions } from './source-options.ts';
import type { EventTypes, Source, SourceOptions } from './source.ts';

export interface GitHubOptions extends SourceOptions {
  /** The secret of the webhook, unchanged. Up to 8 during a rotation. */
  readonly secrets: Secrets;
  /**
   * What belongs together, from the parsed payload. Default: the issue or pull request
   * (`owner/name#1`), else the repository, else the organisation.
   */
  readonly key?: (payload: unknown) => string | null;
  /** Maximum length of a body. Default: 26,214,400 (25 MiB), as large as GitHub sends. */
  readonly bodyLimitBytes?: number;
}

const HEADERS = ['x-hub-signature-256', 'x-github-delivery', 'x-github-event'];
const SIGNATURE = /^sha256=[\da-f]{64}$/;
const EVENT_NAME = /^[a-z_]{1,64}$/;
const LIMIT_BYTES = 26_214_400;

/**
 * The source of GitHub. Only the body is signed: neither the id of a delivery nor the name of its
 * event nor a time. Who has one delivery can send it again under another id. The type is the event
 * and its action, such as `pull_request.opened`, or the event alone, such as `push`; handlers get
 * the payload as `data`. A `ping` needs no handler. GitHub sends no delivery again, so a response
 * that is not 2xx loses the event until someone redelivers it.
 *
 * @throws {TypeError} When an option is invalid or unknown; the message names the option.
 * @example
 * ```ts
 * import { github } from '@hookproof/receiver/github';
 *
 * export const repositories = github({ secrets: process.env['GITHUB_SECRET'] ?? '' });
 * ```
 */
export function github<Payloads extends EventTypes = EventTypes>(
  options: GitHubOptions,
): Source<Payloads> {
  knownOptions(options, ['secrets', 'key', 'order', 'bodyLimitBytes']);
  const keys = textSecrets(options.secrets, 'github()');
  const { secrets, key = subjectOf } = options;
  return {
    sender: 'GitHub',
    headers: HEADERS,
    jsonSetting:
      'Set the content type of the webhook to application/json in its settings on GitHub.',
    silentTypes: ['ping'],
    retries: () => false,
    ...sourceOptions(options, LIMIT_BYTES),
    verify(headers, rawBody, now) {
      const { 'x-hub-signature-256': signature = '', 'x-github-delivery': id = '' } = headers;
      const { 'x-github-event': name = '' } = headers;
      if (!HEADER_FORMS.id[0].test(id))
        throw malformed('id', 'x-github-delivery', HEADER_FORMS.id[1]);
      if (!EVENT_NAME.test(name)) throw malformed('id', 'x-github-event', 'the name of an event');
      if (!SIGNATURE.test(signature)) {
        throw malformed('signature', 'x-hub-signature-256', 'sha256= and 64 lower-case hex digits');
      }
      const digest = Buffer.from(signature.slice('sha256='.length), 'hex');
      const signed = judge(keys.length, signingKey(keys, [rawBody], [digest]), null, 0, now);
      const described = describeBody(rawBody, id, (payload) => {
        const action = textOrNull(payload['action']);
        return {
          id,
          type: action === null ? name : `${name}.${action}`,
          key: key(payload),
          createdAt: null,
        };
      });
      return { ...described, ...signed };
    },
    async explain(delivery) {
      const { GITHUB } = await import('../explain/senders/github.ts');
      return explained(GITHUB, delivery, { secrets });
    },
    data: (payload) => payload,
  };
}

/** An issue and a pull request of one repository share their numbers. */
function subjectOf(payload: unknown): string | null {
  const repository = textOrNull(member(member(payload, 'repository'), 'full_name'));
  const subject = member(payload, 'pull_request') ?? member(payload, 'issue');
  const number = member(subject, 'number');
  if (repository === null) return textOrNull(member(member(payload, 'organization'), 'login'));
  return typeof number === 'number' ? `${repository}#${number}` : repository;
}
