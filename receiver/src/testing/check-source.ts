import { singleValues } from '../sources/single-values.ts';
import type { Source } from '../sources/source.ts';
import { describeThrown } from '../thrown.ts';
import { WebhookVerificationError } from '../verify/errors.ts';
import { headerFinder } from '../verify/find-headers.ts';
import type { VerificationStage } from '../verify/errors.ts';

export interface CheckedSource {
  /** The source to check. */
  readonly source: Source;
  /** The bytes of an event. */
  readonly rawBody: Uint8Array;
  /**
   * Returns the headers of a delivery of these bytes, signed with the secret of `source` at this
   * time.
   */
  readonly sign: SignDelivery;
  /** The same with another secret. */
  readonly signWithOther: SignDelivery;
  /** Whether the sender signs the time. Default: true. */
  readonly signsTime?: boolean;
  /** The headers that the signature does not cover. Default: none. */
  readonly unsignedHeaders?: readonly string[];
}

/** Signs a body at a time, in milliseconds since the epoch. */
export type SignDelivery = (
  rawBody: Uint8Array,
  at: number,
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;

const NOW = Date.UTC(2026, 6, 1, 12);
const DAY_MILLISECONDS = 86_400_000;

/** What an attacker or a proxy makes of a header. */
const CHANGES: readonly ((value: string) => string)[] = [
  () => '',
  (value) => `${value}x`,
  (value) => `${value} `,
  (value) => ` ${value}`,
  (value) => value.slice(0, -1),
  (value) => value.slice(0, value.length / 2),
  (value) => `${value}${value}`,
  (value) => `${value},${value}`,
  (value) => `${value}\0`,
  (value) => `${value.slice(0, -1)}\u{212a}`,
  () => 'x'.repeat(10_000),
];

/**
 * Holds the rules that each source keeps, also one of your own: it accepts what its sender signed,
 * and refuses a changed body, another secret, a stale or future time where one is signed, a missing
 * or repeated header and a changed one. Signed bytes that are no event are not refused, because a
 * retry would send the same ones.
 *
 * @throws {Error} When a rule is broken; the message names each one.
 * @example
 * ```ts
 * import { createHmac } from 'node:crypto';
 * import { github } from '@hookproof/receiver/github';
 * import { checkSource } from '@hookproof/receiver/testing';
 *
 * const signWith = (secret: string) => (rawBody: Uint8Array) => ({
 *   'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
 *   'x-github-event': 'push',
 *   'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`,
 * });
 * await checkSource({
 *   source: github({ secrets: 'ours' }),
 *   rawBody: Buffer.from('{"ref":"refs/heads/main"}'),
 *   sign: signWith('ours'),
 *   signWithOther: signWith('another'),
 *   signsTime: false,
 *   unsignedHeaders: ['x-github-delivery', 'x-github-event'],
 * });
 * ```
 */
export async function checkSource(checked: CheckedSource): Promise<void> {
  const { source, rawBody, sign, signWithOther, signsTime = true, unsignedHeaders = [] } = checked;
  const broken: string[] = [];
  const find = headerFinder(...source.headers);
  const judge = async (
    headers: Readonly<Record<string, string | readonly string[]>>,
    body: Uint8Array = rawBody,
  ) => source.verify(singleValues(source.headers, find(headers)), body, NOW);
  const refuses = async (
    rule: string,
    stages: readonly VerificationStage[],
    ...given: Parameters<typeof judge>
  ): Promise<void> => {
    try {
      await judge(...given);
      broken.push(`It must refuse ${rule}, but accepted it.`);
    } catch (error) {
      if (error instanceof WebhookVerificationError && stages.includes(error.stage)) return;
      const expected = `a WebhookVerificationError with the stage ${stages.join(' or ')}`;
      broken.push(`It must refuse ${rule} with ${expected}, got ${describeThrown(error)}`);
    }
  };
  const accepts = async (rule: string, ...given: Parameters<typeof judge>) => {
    try {
      return await judge(...given);
    } catch (error) {
      broken.push(`It must accept ${rule}, got ${describeThrown(error)}`);
      return null;
    }
  };

  const headers = await sign(rawBody, NOW);
  const names = source.headers.filter((name) => !unsignedHeaders.includes(name));
  if (names.length === 0) broken.push('headers must name the header of the signature, got none.');
  const event = await accepts('what its sender signed', headers);
  if (event !== null) {
    const { id, type, error, timestamp } = event;
    if (!isText(id) || !isText(type) || error !== null) {
      broken.push(
        `An event must have an id, a type and no error, got ${JSON.stringify({ id, type, error })}.`,
      );
    }
    if (timestamp !== NOW / 1_000) {
      broken.push(
        `timestamp must be ${NOW / 1_000}, in seconds since the epoch, got ${timestamp}.`,
      );
    }
    const again = await accepts('a repetition', await sign(rawBody, NOW + 1_000));
    if (again !== null && again.id !== id)
      broken.push('A repetition must have the same id, got another.');
  }

  for (const [rule, body] of changedBodies(rawBody)) {
    await refuses(`a body ${rule}`, ['signature'], headers, body);
  }
  await refuses('another secret', ['signature'], await signWithOther(rawBody, NOW));
  if (signsTime) {
    for (const [rule, days] of [
      ['old', -1],
      ['new', 1],
    ] as const) {
      const signed = await sign(rawBody, NOW + days * DAY_MILLISECONDS);
      await refuses(`a delivery that is a day too ${rule}`, ['freshness'], signed);
    }
  }
  for (const name of source.headers) {
    const { [name]: value = '', ...others } = headers;
    await refuses(`a delivery without ${name}`, ['headers'], others);
    await refuses(`${name} twice`, ['headers'], { ...others, [name]: [value, value] });
  }
  for (const name of names) {
    const value = headers[name] ?? '';
    for (const changed of CHANGES.map((change) => change(value))) {
      const shown = `${name} as ${JSON.stringify(changed).slice(0, 100)}`;
      await refuses(shown, ['headers', 'signature'], { ...headers, [name]: changed });
    }
  }
  for (const text of ['not an event', '{}', '[]', 'null', '{"id":7,"type":false}']) {
    const bytes = Buffer.from(text);
    const kept = await accepts(`the signed bytes ${text}`, await sign(bytes, NOW), bytes);
    if (kept === null) continue;
    const { id, type, error } = kept;
    // The headers of some senders say what the event is.
    const isEvent = text !== 'not an event' && error === null && isText(type);
    if (isText(id) && (isEvent || isText(error))) continue;
    const shown = JSON.stringify({ id, type, error });
    broken.push(
      `The signed bytes ${text} must have an id, and an error if they are no event, got ${shown}.`,
    );
  }
  if (broken.length > 0) throw new Error(`Source of ${source.sender}: ${broken.join('\n')}`);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function changedBodies(
  rawBody: Uint8Array,
): readonly (readonly [rule: string, body: Uint8Array])[] {
  const at = (index: number): Uint8Array =>
    rawBody.map((byte, place) => (place === index ? byte ^ 1 : byte));
  return [
    ['whose first byte was changed', at(0)],
    ['whose last byte was changed', at(rawBody.length - 1)],
    ['with a byte more', Uint8Array.from([...rawBody, 0x20])],
    ['with a byte less', rawBody.subarray(0, -1)],
    ['that is empty', new Uint8Array()],
  ];
}
