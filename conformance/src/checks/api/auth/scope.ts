import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import { NotApplicable } from '../../../verdict/findings.ts';
import {
  assumeSuccess,
  expectStatus,
  expectSuccess,
  violation,
} from '../../../check-kit/expect.ts';
import { isRecord } from '../../../http/message.ts';
import { INBOX, TEMPLATES } from '../operations/lists.ts';

const scope = area('api.scope', { access: 'read', needs: ['key.main'] });

const QUERY = { limit: 1, offset: 0 };

/** Who may read the inbox. The contract states no scopes for other operations. */
export const scopeChecks: readonly Check[] = [
  scope.check({
    name: 'inbox-reviewer',
    requirements: ['scope.inbox.reviewer'],
    title: "a reviewer's key reads the inbox without the scope workflow:read",
    needs: ['key.reviewer'],
    async run({ api }) {
      expectSuccess(await api.sample({ path: INBOX.path, query: QUERY, key: 'reviewer' }));
    },
  }),
  scope.check({
    name: 'inbox-refused',
    requirements: ['scope.inbox.required', 'inbox.errors', 'scope.lacking', 'status-code.403'],
    title: 'refuses the inbox to a key without dataset_review:read, with 403',
    needs: ['key.main', 'key.workflow'],
    async run({ api }) {
      assumeSuccess(await api.sample({ path: INBOX.path, query: QUERY }));
      assumeSuccess(await api.sample({ path: '/v1/auth/check', key: 'workflow' }));
      expectStatus(await api.sample({ path: INBOX.path, query: QUERY, key: 'workflow' }), 403);
    },
  }),
  scope.check({
    name: 'ocr-kept-out',
    requirements: ['scope.ocr-only'],
    title: 'refuses the inbox with 403 to a key with only ocr:full',
    needs: ['key.main', 'key.ocr'],
    async run({ api }) {
      assumeSuccess(await api.sample({ path: INBOX.path, query: QUERY }));
      expectStatus(await api.sample({ path: INBOX.path, query: QUERY, key: 'ocr' }), 403);
    },
  }),
  scope.check({
    name: 'wildcard-admitted',
    requirements: ['scope.wildcard.covers-all'],
    title: 'a wildcard key has every scope',
    needs: ['key.main'],
    async run({ api }) {
      const identity = await api.sample({ path: '/v1/auth/check' });
      assumeSuccess(identity);
      if (!isRecord(identity.json) || identity.json['wildcardGranted'] !== true) {
        throw new NotApplicable('the key of this run is not a wildcard key');
      }
      for (const path of [INBOX.path, TEMPLATES.path]) {
        const response = await api.sample({ path, query: QUERY });
        if (response.status === 403) throw violation('any status but 403', '403', response);
      }
    },
  }),
];
