import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import { show, violation } from '../../../check-kit/expect.ts';
import { isRecord } from '../../../http/message.ts';
import { Inconclusive } from '../../../verdict/findings.ts';
import { INBOX } from '../operations/lists.ts';

/** What an issue says about the request. */
export const envelopeIssueChecks: readonly Check[] = [
  area('api.envelope', { access: 'read', needs: ['key.main'] }).check({
    name: 'issue-names-field',
    requirements: ['envelope.issue.field'],
    title: 'an issue of a refused limit names limit or <root>',
    async run({ api }) {
      const response = await api.sample({ path: INBOX.path, query: { limit: 0, offset: 0 } });
      const issues = isRecord(response.json) ? response.json['issues'] : undefined;
      const own = Array.isArray(issues) ? issues.filter(isRecord) : [];
      if (response.status !== 400 || own.length === 0) {
        throw new Inconclusive('Cannot judge: limit=0 did not get 400 with issues.', {
          reportedBy: response.status === 400 ? 'api.envelope.inbox' : null,
        });
      }
      const fields = own.map(({ field }) => field).filter((field) => typeof field === 'string');
      if (fields.length === 0) {
        throw new Inconclusive('Cannot judge: no issue has a field.', {
          reportedBy: 'api.envelope.inbox',
        });
      }
      if (!fields.some((field) => field === '<root>' || field.includes('limit'))) {
        throw violation('an issue whose field names limit, or <root>', show(fields), response);
      }
    },
  }),
];
