import { notFound } from '../app/api-error.ts';
import type { Handler, Services } from '../app/handler.ts';
import { readArtifactPath } from '../datasets/artifact-path.ts';
import { findExample } from '../datasets/find-example.ts';
import { findAutomation } from './find-automation.ts';

/** `DELETE …/examples/{exampleId}/input/{path}`: that one file goes. */
export function deleteInputFile({ store }: Services): Handler {
  return async function handle({ key, path }): Promise<undefined> {
    const place = readArtifactPath(path['path'] ?? '', 'path');
    await store.commit((state) => {
      const automation = findAutomation(state, key.tenantId, path['id'] ?? '');
      const example = findExample(state, automation, path['exampleId'] ?? '');
      const others = example.input.filter((file) => file.path !== place);
      if (others.length === example.input.length) {
        throw notFound('path', 'the example has no input file there');
      }
      example.input = others;
    });
    return undefined;
  };
}
