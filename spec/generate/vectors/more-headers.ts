import type { VectorDefinition } from './definition.ts';

const PARTS = ['id', 'timestamp', 'signature'] as const;

/** Octets above ASCII that HTTP carries; receivers decode them as Latin-1, as UTF-8 or not at all. */
const OCTETS = [0x80, 0x85, 0xa0, 0xad, 0xb5, 0xff] as const;
/** Control characters that HTTP does not carry, but other transports of headers do. */
const CONTROLS = [0x01, 0x08, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b, 0x1f, 0x7f] as const;

/** Further repeated headers and ids outside the documented form. */
export const moreHeaderVectors: readonly VectorDefinition[] = [
  ...PARTS.map((part): VectorDefinition => ({
    id: `${part}-three-times`,
    comment: `webhook-${part} is present three times with the same valid value.`,
    flags: ['RepeatedHeader'],
    basis: 'reading',
    code: 'header_repeated',
    headers: { [part]: Array.from({ length: 3 }, () => valueOf(part, `${part}-three-times`)) },
  })),
  ...PARTS.map((part): VectorDefinition => ({
    id: `${part}-repeated-empty`,
    comment: `webhook-${part} is present twice: first valid, then empty.`,
    flags: ['RepeatedHeader', 'EmptyPart'],
    basis: 'reading',
    code: 'header_repeated',
    headers: { [part]: [valueOf(part, `${part}-repeated-empty`), ''] },
  })),
  ...PARTS.map((part): VectorDefinition => ({
    id: `${part}-only`,
    comment: `Only webhook-${part} is present.`,
    flags: ['MissingHeader'],
    code: 'header_missing',
    allHeaders: [[`webhook-${part}`, valueOf(part, `${part}-only`)]],
  })),
  ...PARTS.map((part): VectorDefinition => ({
    id: `${part}-under-x-name`,
    comment: `webhook-${part} is missing; x-webhook-${part} has its value.`,
    flags: ['MissingHeader', 'HeaderOrder'],
    code: 'header_missing',
    allHeaders: PARTS.map((name) => [
      `${name === part ? 'x-' : ''}webhook-${name}`,
      valueOf(name, `${part}-under-x-name`),
    ]),
  })),
  ...OCTETS.map((octet): VectorDefinition => ({
    id: `id-octet-${octet.toString(16)}`,
    comment: `The id contains the octet 0x${octet.toString(16)}, and is signed like this.`,
    flags: ['MalformedId', 'TextForBytes'],
    basis: 'reading',
    code: 'id_malformed',
    eventId: `whev_id-${String.fromCharCode(octet)}-octet`,
  })),
  ...CONTROLS.map((control): VectorDefinition => {
    const hex = control.toString(16).padStart(2, '0');
    return {
      id: `id-control-${hex}`,
      comment: `The id contains the control character 0x${hex}, and is signed like this.`,
      flags: ['MalformedId', 'ControlCharacter'],
      basis: 'reading',
      code: 'id_malformed',
      overHttp: false,
      eventId: `whev_id-${String.fromCharCode(control)}-control`,
    };
  }),
  ...(['first', 'last', 'alone'] as const).map((place): VectorDefinition => ({
    id: `id-comma-${place}`,
    comment: `The id has a comma ${place}, as a joined header with an empty value has.`,
    flags: ['RepeatedHeader', 'MalformedId'],
    basis: 'reading',
    code: 'id_malformed',
    eventId: { first: ',whev_comma', last: 'whev_comma,', alone: ',' }[place],
  })),
];

function valueOf(part: (typeof PARTS)[number], id: string): string {
  return { id: `whev_${id}`, timestamp: '{timestamp}', signature: 'v1,{digest}' }[part];
}
