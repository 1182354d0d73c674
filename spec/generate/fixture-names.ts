import { readYaml } from './step.ts';
import type { Step } from './step.ts';

/** The names of the properties of `WorldFixtures` in `control.yaml`, for programs that go through them. */
export const fixtureNames: Step = {
  output: 'src/generated/fixture-names.ts',
  async render(specFolder) {
    const { components } = JSON.parse(JSON.stringify(await readYaml(specFolder, 'control.yaml')));
    const names = Object.keys(components.schemas.WorldFixtures.properties);
    return `// Generated from spec/control.yaml by \`npm run generate\`. Do not edit.

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
export const WORLD_FIXTURE_NAMES = [
${names.map((name) => `  '${name}',`).join('\n')}
] as const;
`;
  },
};
