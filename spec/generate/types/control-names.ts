import { readYaml } from './step.ts';
import type { Step } from './step.ts';

/** Generates the lists of names in `control.yaml` that programs iterate over. */
export const controlNames: Step = {
  output: 'src/generated/control-names.ts',
  async render(specFolder) {
    const { components } = JSON.parse(JSON.stringify(await readYaml(specFolder, 'control.yaml')));
    const { WorldFixtures, DeliveryFaultName } = components.schemas;
    return `// Generated from spec/control.yaml by \`npm run build\`. Do not edit.

/**
 * The name of every fixture that a world can have.
 *
 * @example
 * \`\`\`ts
 * import { WORLD_FIXTURE_NAMES } from '@hookproof/spec/control';
 *
 * const isFixture = (name: string): boolean => WORLD_FIXTURE_NAMES.some((one) => one === name);
 * console.log(isFixture('workflowId')); // true
 * \`\`\`
 */
export const WORLD_FIXTURE_NAMES = ${listOf(Object.keys(WorldFixtures.properties))};

/**
 * The name of every delivery fault.
 *
 * @example
 * \`\`\`ts
 * import { DELIVERY_FAULT_NAMES } from '@hookproof/spec/control';
 *
 * console.log(DELIVERY_FAULT_NAMES.join(', ')); // duplicate, reorder, ...
 * \`\`\`
 */
export const DELIVERY_FAULT_NAMES = ${listOf(DeliveryFaultName.enum)};
`;
  },
};

function listOf(names: readonly string[]): string {
  return `[\n${names.map((name) => `  '${name}',`).join('\n')}\n] as const`;
}
