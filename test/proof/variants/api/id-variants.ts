import { createHash } from 'node:crypto';

import type { Between, Incoming, Outgoing } from '@hookproof/conformance/hooks';
import { segment } from '@hookproof/conformance/proof/kit/api';
import { variant, variantsOf } from '@hookproof/conformance/proof/kit/defect';
import type { Open, Variant } from '@hookproof/conformance/proof/kit/defect';
import { bearerOf } from '@hookproof/conformance/proof/kit/knowledge';
import {
  jsonOf,
  keyOf,
  refuse,
  respond,
  sign,
  withBytes,
} from '@hookproof/conformance/proof/kit/message';

/** Kinds of ids whose form the contract leaves open. */
const KINDS = ['review', 'folder', 'tmpl', 'run', 'ex', 'exp', 'file', 'upload'];
const OWN = new RegExp(`\\b(${KINDS.join('|')})_([0-9a-f]{20})\\b`, 'g');
const CHECKED = new RegExp(`\\b(${KINDS.join('|')})_([0-9a-f]{20})([0-9a-f]{2})\\b`, 'g');
const UUID = /\b([0-9a-f]{2})000000-([0-9a-f]{4})-4([0-9a-f]{3})-8([0-9a-f]{3})-([0-9a-f]{12})\b/g;

const UPPER_CASE_UUID = /[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}/g;

/** The checks of ids that nobody made. */
const UNKNOWN_IDS: readonly string[] = [
  'file',
  'file-content',
  'experiment',
  'upload-complete',
  'review-update-review-id',
  'rename-example-id',
  'input-delete-example-id',
].map((name) => `api.unknown-id.${name}`);
/** With more digits than a port, so that no address in a request is taken for an id. */
const FIRST_NUMBER = 70_040_017;

/** Ids in another form, in both directions. */
export const idVariants: readonly Variant[] = [
  ...variantsOf({
    takes: 'status-code.404.malformed-id',
    api: (form: Form) => withIds(() => form),
    rows: {
      'ids-are-uuids': ['Uses UUIDs as ids.', { show: uuidOf, read: ownOf }],
      'ids-are-upper-case-uuids': [
        'Uses UUIDs in capitals as ids.',
        {
          show: (kind, id) => uuidOf(kind, id).toUpperCase(),
          read: (text) => ownOf(text.replaceAll(UPPER_CASE_UUID, (id) => id.toLowerCase())),
        },
      ],
      'ids-without-prefix': [
        'Uses hex digits without a prefix as ids.',
        {
          show: (kind, id) => `${kindDigits(kind)}${id}`,
          read: (text) =>
            text.replaceAll(/\bee([0-9a-f]{2})([0-9a-f]{20})\b/g, (all, kind: string, id: string) =>
              ownId(kind, id, all),
            ),
        },
      ],
    },
  }),
  variant({
    id: 'ids-are-numbers',
    takes: 'status-code.404.malformed-id',
    does: 'Uses numbers as ids.',
    silences: ['api.automation-move.folder-id-invalid-beside-path'],
    api: withIds(() => {
      const numbers = new Map<string, string>();
      const originals = new Map<string, string>();
      return {
        show(kind, id) {
          const own = `${kind}_${id}`;
          const number = numbers.get(own) ?? String(FIRST_NUMBER + numbers.size * 13);
          numbers.set(own, number);
          originals.set(number, own);
          return number;
        },
        read: (text) =>
          text.replaceAll(/\b[0-9]{8}\b/g, (number) => originals.get(number) ?? number),
      };
    }),
  }),
  variant({
    id: 'ids-with-check-digits',
    takes: 'status-code.404.malformed-id',
    does: 'Ends ids with check digits, and responds 400 to an id whose check digits are wrong.',
    api: checkDigits(),
    silences: UNKNOWN_IDS,
  }),
  variant({
    id: 'examples-are-counted',
    takes: 'status-code.404.malformed-id',
    does: 'Each dataset counts its examples, so that one of another tenant has an example of the same number.',
    api: examplesCounted(),
    silences: ['api.foreign-id.rename', 'api.foreign-id.input-delete'],
  }),
];

function checkDigits(): Open {
  const ids = withIds(() => ({
    show: (kind, id) => `${kind}_${id}${digitsOf(id)}`,
    read: (text) =>
      text.replaceAll(CHECKED, (all, kind: string, id: string, digits: string) =>
        digits === digitsOf(id) ? `${kind}_${id}` : all,
      ),
  }));
  return (knowledge) => {
    const { api, ...others } = ids(knowledge);
    return {
      ...others,
      api: (request, next) => {
        const given = decodeURIComponent(new URL(request.url).pathname).matchAll(CHECKED);
        const isWrong = [...given].some(([, , id = '', digits]) => digits !== digitsOf(id));
        return isWrong || api === undefined ? Promise.resolve(refuse(400)) : api(request, next);
      },
    };
  };
}

function digitsOf(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 2);
}

function examplesCounted(): Open {
  return ({ keyringOf, fixtureOf }) => {
    const numbers = new Map<string, string>();
    const numberOf = (id: string): string => {
      const number = numbers.get(id) ?? String(numbers.size + 1);
      numbers.set(id, number);
      return number;
    };
    const idOf = (number: string): string =>
      [...numbers].find((pair) => pair[1] === number)?.[0] ?? number;
    const control: Between = async (request, next) => {
      const response = await next(request);
      const text = Buffer.from(response.bytes).toString('utf8');
      return withBytes(response, Buffer.from(text.replaceAll(/\bex_[0-9a-f]{20}\b/g, numberOf)));
    };
    return {
      control,
      api: (request, next) => {
        const key = bearerOf(request);
        const ring = key === undefined ? undefined : keyringOf(key);
        const theirs = fixtureOf(ring?.['wildcard'] ?? '', 'otherTenantAutomationId');
        const url = new URL(request.url);
        const isExample = url.pathname.includes('/examples/');
        if (
          isExample &&
          key === ring?.['otherTenant'] &&
          segment(url.href, 'automations') === theirs
        )
          return Promise.resolve(respond(200, { ok: true, filename: 'one', path: 'one' }));
        url.pathname = url.pathname.replace(/(?<=\/examples\/)\d+(?=\/)/, (number) => idOf(number));
        const chosen = url.searchParams.get('exampleIds');
        if (chosen !== null)
          url.searchParams.set('exampleIds', chosen.split(',').map(idOf).join(','));
        return next({ ...request, url: url.href });
      },
    };
  };
}

interface Form {
  readonly show: (kind: string, id: string) => string;
  readonly read: (text: string) => string;
}

/** Requests are read in the new form, responses and events written in it, those of the control interface as well. */
function withIds(formOf: () => Form): Open {
  return ({ operationOf, secretOf }) => {
    const form = formOf();
    const between: Between = async (request, next) => {
      const own = read(request, form);
      const response = await next(own);
      const isContent = operationOf(own)?.operationId === 'getFileContent';
      return isContent ? response : shown(response, form);
    };
    return {
      api: between,
      control: between,
      delivery: (request, next) => {
        const secret = secretOf(request.url);
        if (secret === undefined) return next(request);
        return next(sign(shown(request, form), keyOf(request, secret)));
      },
    };
  };
}

function read(request: Outgoing, { read: readText }: Form): Outgoing {
  const url = new URL(request.url);
  url.pathname = readText(url.pathname);
  for (const [name, value] of url.searchParams) {
    const own = readText(value);
    if (own !== value) url.searchParams.set(name, own);
  }
  const moved = { ...request, url: url.href };
  if (request.body === null || jsonOf(request) === undefined) return moved;
  return withBytes(moved, Buffer.from(readText(Buffer.from(request.body).toString('utf8'))));
}

function shown<Message extends Outgoing | Incoming>(message: Message, { show }: Form): Message {
  const json = jsonOf(message);
  if (json === undefined) return message;
  const text = JSON.stringify(json).replaceAll(OWN, (_all, kind: string, id: string) =>
    show(kind, id),
  );
  return withBytes(message, Buffer.from(text));
}

function kindDigits(kind: string): string {
  return `ee${KINDS.indexOf(kind).toString(16).padStart(2, '0')}`;
}

function ownId(kind: string, id: string, otherwise: string): string {
  const name = KINDS[Number.parseInt(kind, 16)];
  return name === undefined ? otherwise : `${name}_${id}`;
}

function uuidOf(kind: string, id: string): string {
  const kindPart = KINDS.indexOf(kind).toString(16).padStart(2, '0');
  return `${kindPart}000000-${id.slice(0, 2)}ad-4${id.slice(2, 5)}-8${id.slice(5, 8)}-${id.slice(8)}`;
}

function ownOf(text: string): string {
  return text.replaceAll(
    UUID,
    (all, kind: string, first: string, second: string, third: string, rest: string) =>
      ownId(kind, first.slice(0, 2) + second + third + rest, all),
  );
}
