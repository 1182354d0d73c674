import { area } from '../../../check-kit/area.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { Inconclusive } from '../../../verdict/findings.ts';
import { show, violation } from '../../../check-kit/expect.ts';
import { isRecord } from '../../../http/message.ts';
import { envelopes, ERRORS } from '../operations/errors.ts';

const envelope = area('api.envelope', { access: 'read', needs: ['key.main', 'key.ocr'] });

/** The members of an issue. */
export const envelopeIssueChecks: readonly Check[] = [
  envelope.check({
    name: 'issue-fields',
    requirements: ['envelope.issue.fields', 'envelope.issue.code'],
    title: 'each issue has the strings field, message, code and severity',
    run: (context) =>
      eachIssue(context, (issue, response) => {
        for (const name of ['field', 'message', 'code', 'severity']) {
          if (typeof issue[name] !== 'string') {
            throw violation(`a string ${name} in each issue`, show(issue[name]), response);
          }
        }
      }),
  }),
  envelope.check({
    name: 'issue-severity',
    requirements: ['envelope.issue.severity'],
    title: 'severity of an issue is error or warning',
    run: (context) =>
      eachIssue(context, ({ severity }, response) => {
        if (typeof severity === 'string' && severity !== 'error' && severity !== 'warning') {
          throw violation('error or warning', show(severity), response);
        }
      }),
  }),
  envelope.check({
    name: 'issue-names-field',
    requirements: ['envelope.issue.field'],
    title: 'an issue of a refused limit names limit or <root>',
    async run(context) {
      const response = await ERRORS[400]?.(context);
      const issues = response?.status === 400 ? issuesOf(response) : [];
      if (response === undefined || issues.length === 0) {
        throw new Inconclusive('Cannot judge: limit=0 did not get 400 with issues.');
      }
      const fields = issues.map(({ field }) => String(field));
      if (!fields.some((field) => field === '<root>' || field.includes('limit'))) {
        throw violation('an issue whose field names limit, or <root>', show(fields), response);
      }
    },
  }),
];

async function eachIssue(
  context: CheckContext,
  judge: (issue: Readonly<Record<string, unknown>>, response: ApiResponse) => void,
): Promise<void> {
  for (const { response } of await envelopes(context)) {
    for (const issue of issuesOf(response)) judge(issue, response);
  }
}

function issuesOf({ json }: ApiResponse): readonly Readonly<Record<string, unknown>>[] {
  const issues = isRecord(json) ? json['issues'] : undefined;
  return Array.isArray(issues) ? issues.filter(isRecord) : [];
}
