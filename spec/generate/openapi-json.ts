import { jsonText, readYaml } from './read-yaml.ts';
import type { Step } from './step.ts';

/** Generates the JSON copy of `openapi.yaml`, so that no YAML parser is needed at run time. */
export const openapiJson: Step = {
  output: 'generated/openapi.json',
  async render(specFolder) {
    return jsonText(await readYaml(specFolder, 'openapi.yaml'));
  },
};
