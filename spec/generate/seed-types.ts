import { readFile } from 'node:fs/promises';
import { compile } from 'json-schema-to-typescript';
import type { Step } from './step.ts';

const SCHEMA = '../server-reference/world/schema.json';

/** The types of the data that worlds of the reference server are seeded with. */
export const seedTypes: Step = {
  output: '../server-reference/src/lab/world/generated/seed-data.ts',
  async render(specFolder) {
    const schema = JSON.parse(await readFile(new URL(SCHEMA, specFolder), 'utf8'));
    return compile(schema, schema.title, {
      additionalProperties: false,
      ignoreMinAndMaxItems: true,
      bannerComment:
        '// Generated from server-reference/world/schema.json by `npm run generate`. Do not edit.',
    });
  },
};
