import { jsonText, readYaml } from './read-yaml.ts';
import type { Step } from './step.ts';

/** `openapi.yaml` as JSON, which needs no YAML parser at run time. */
export const openapiJson: Step = {
  output: 'generated/openapi.json',
  async render(specFolder) {
    return jsonText(await readYaml(specFolder, 'openapi.yaml'));
  },
};
