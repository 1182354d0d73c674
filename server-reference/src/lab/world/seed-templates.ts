import { hash } from 'node:crypto';

import type { TemplateRecord } from '../../store/automations.ts';
import type { TemplateId } from '../../store/ids.ts';
import type { SeedTemplate } from './generated/seed-data.ts';
import { SEED_DATA } from './seed-data.ts';
import type { Ids, SeededTenant, Seeding } from './seeding.ts';

const { formats, templates } = SEED_DATA.templates;

/** Adds the templates of a tenant; returns their ids by name. */
export function seedTemplates(seeding: Seeding, tenant: SeededTenant): Ids<TemplateId> {
  const { state } = seeding;
  return new Map(
    templates.map((template) => {
      const record = templateRecord(seeding, tenant, template);
      state.templates.add(record);
      return [template.name, record.id];
    }),
  );
}

function templateRecord(
  { id, hoursAgo }: Seeding,
  tenant: SeededTenant,
  template: SeedTemplate,
): TemplateRecord {
  const { name, filename, format, description, size, revision } = template;
  const { mimeType, capabilities } = formats[format];
  const updatedAt = hoursAgo(template.updatedHoursAgo);
  // The API shows no template file, so the hash is of invented bytes.
  const sha256 = hash('sha256', `${name} ${revision}`);
  return {
    id: id('tmpl_'),
    tenantId: tenant.id,
    name,
    filename,
    format,
    mimeType,
    tokens: template.tokens.map((token, index) => ({
      name: token,
      path: token.split('.'),
      kind: 'variable',
      type: 'string',
      required: index === 0,
      description: `Filled with ${token.replace('.', ' ')}`,
    })),
    grammar: { syntax: '{{token}}', tokenDiscovery: true, capabilities: [...capabilities] },
    description,
    size,
    sha256,
    currentRevision: { id: id('rev_'), number: revision, sha256, createdAt: updatedAt },
    createdAt: hoursAgo(template.createdHoursAgo),
    updatedAt,
  };
}
