import { createHash } from 'node:crypto';

import type { TemplateRecord } from '../state/template.ts';
import { listNewestFirst } from '../store/list-newest-first.ts';
import type { SeededTenant } from './seed-tenant.ts';
import type { Seeding } from './seeding.ts';

const MIME_TYPES = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

const TEMPLATES: readonly {
  readonly name: string;
  readonly format: keyof typeof MIME_TYPES;
  readonly tokens: readonly string[];
  readonly revision: number;
}[] = [
  { name: 'Claim letter', format: 'docx', tokens: ['claim.number', 'carrier.name'], revision: 4 },
  {
    name: 'Freight invoice',
    format: 'xlsx',
    tokens: ['invoice.number', 'invoice.total'],
    revision: 2,
  },
  { name: 'Packing list', format: 'xlsx', tokens: ['shipment.reference'], revision: 1 },
  { name: 'Welcome letter', format: 'docx', tokens: ['customer.name'], revision: 7 },
];

/** Adds the templates of a tenant; returns their ids, oldest first. */
export function seedTemplates(seeding: Seeding, tenant: SeededTenant): string[] {
  const { state } = seeding;
  return TEMPLATES.map(({ name, format, tokens, revision }, index) => {
    const createdAt = seeding.hoursAgo(1200 - 70 * index);
    const updatedAt = seeding.hoursAgo(300 - 20 * index);
    const sha256 = createHash('sha256').update(`${name} ${revision}`).digest('hex');
    const template: TemplateRecord = {
      id: seeding.id('tmpl_'),
      tenantId: tenant.id,
      name,
      filename: `${name.toLowerCase().replaceAll(' ', '-')}.${format}`,
      format,
      mimeType: MIME_TYPES[format],
      tokens: tokens.map((token) => ({
        name: token,
        path: token.split('.'),
        kind: 'variable',
        type: 'string',
        required: true,
        description: `Filled with ${token.replace('.', ' ')}`,
      })),
      grammar: { syntax: '{{token}}', tokenDiscovery: true, capabilities: ['variables'] },
      description: `${name}, as sent to customers`,
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
