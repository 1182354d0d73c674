import { createHash } from 'node:crypto';

import type { TemplateRecord } from '../../platform/state/automations.ts';
import { listNewestFirst } from '../../platform/store/records.ts';
import type { SeededTenant } from './seed-tenant.ts';
import type { Seeding } from './seeding.ts';

const FORMATS = {
  docx: {
    mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    capabilities: ['variables', 'loops', 'conditions'],
  },
  xlsx: {
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    capabilities: ['variables', 'loops'],
  },
} as const;

const TEMPLATES: readonly {
  readonly name: string;
  readonly format: keyof typeof FORMATS;
  readonly description: string;
  readonly tokens: readonly string[];
  readonly revision: number;
}[] = [
  {
    name: 'Claim letter',
    format: 'docx',
    description: 'Asks a carrier for compensation, with the papers listed.',
    tokens: ['claim.number', 'carrier.name', 'carrier.address', 'damage.amount'],
    revision: 4,
  },
  {
    name: 'Freight invoice',
    format: 'xlsx',
    description: 'One line for each consignment, surcharges below.',
    tokens: ['invoice.number', 'invoice.total', 'customer.vatNumber'],
    revision: 2,
  },
  {
    name: 'Packing list',
    format: 'xlsx',
    description: 'Goes with every pallet.',
    tokens: ['shipment.reference', 'shipment.pallets'],
    revision: 1,
  },
  {
    name: 'Welcome letter',
    format: 'docx',
    description: 'For new customers, with the contact of their dispatcher.',
    tokens: ['customer.name', 'dispatcher.name', 'dispatcher.phone'],
    revision: 7,
  },
];

/** Adds the templates of a tenant; returns their ids, oldest first. */
export function seedTemplates(seeding: Seeding, tenant: SeededTenant): string[] {
  const { state } = seeding;
  return TEMPLATES.map(({ name, format, description, tokens, revision }, index) => {
    const createdAt = seeding.hoursAgo(1200 - 70 * index);
    const updatedAt = seeding.hoursAgo(300 - 20 * index);
    const sha256 = createHash('sha256').update(`${name} ${revision}`).digest('hex');
    const { mimeType, capabilities } = FORMATS[format];
    const template: TemplateRecord = {
      id: seeding.id('tmpl_'),
      tenantId: tenant.id,
      name,
      filename: `${name.toLowerCase().replaceAll(' ', '-')}.${format}`,
      format,
      mimeType,
      tokens: tokens.map((token, place) => ({
        name: token,
        path: token.split('.'),
        kind: 'variable',
        type: 'string',
        required: place === 0,
        description: `Filled with ${token.replace('.', ' ')}`,
      })),
      grammar: { syntax: '{{token}}', tokenDiscovery: true, capabilities: [...capabilities] },
      description,
      size: 18_000 + 512 * index,
      sha256,
      currentRevision: { id: seeding.id('rev_'), number: revision, sha256, createdAt: updatedAt },
      createdAt,
      updatedAt,
    };
    listNewestFirst(template, state.templates, state.listed.templates);
    return template.id;
  });
}
