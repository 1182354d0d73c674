import type { Between } from '../../../http/between.ts';
import type { Incoming, Outgoing } from '../../../http/message.ts';
import { jsonOf, keyOf, sign, withBytes } from '../../kit/message.ts';
import { variant } from '../../kit/defect.ts';
import type { Open, Variant } from '../../kit/defect.ts';

/** Kinds of ids whose form the contract leaves open. */
const KINDS = ['review', 'folder', 'tmpl', 'run', 'ex', 'exp', 'file', 'upload'];
const OWN = new RegExp(`\\b(${KINDS.join('|')})_([0-9a-f]{20})\\b`, 'g');
const UUID = /\b([0-9a-f]{2})000000-([0-9a-f]{4})-4([0-9a-f]{3})-8([0-9a-f]{3})-([0-9a-f]{12})\b/g;

/** With more digits than a port, so that no address in a request is taken for an id. */
const FIRST_NUMBER = 70_040_017;

/** Ids in another form, in both directions. */
export const idVariants: readonly Variant[] = [
  variant({
    id: 'ids-are-uuids',
    takes: 'status-code.404.malformed-id',
    does: 'Uses UUIDs as ids.',
    api: withIds(() => ({ show: uuidOf, read: ownOf })),
  }),
  variant({
    id: 'ids-are-upper-case-uuids',
    takes: 'status-code.404.malformed-id',
    does: 'Uses UUIDs in capitals as ids.',
    api: withIds(() => ({
      show: (kind, id) => uuidOf(kind, id).toUpperCase(),
      read: (text) =>
        ownOf(
          text.replaceAll(/[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}/g, (id) => id.toLowerCase()),
        ),
    })),
  }),
  variant({
    id: 'ids-without-prefix',
    takes: 'status-code.404.malformed-id',
    does: 'Uses hex digits without a prefix as ids.',
    api: withIds(() => ({
      show: (kind, id) => `${kindDigits(kind)}${id}`,
      read: (text) =>
        text.replaceAll(/\bee([0-9a-f]{2})([0-9a-f]{20})\b/g, (all, kind: string, id: string) =>
          ownId(kind, id, all),
        ),
    })),
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
];

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
