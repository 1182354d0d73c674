// Every operation of automations, datasets and experiments beside the contract's.
import type { ReferenceServer } from '@hookproof/server-reference';

import type { Call } from './transcript.ts';

/** Calls all operations. The dataset is the same as before in the end. */
export async function callEvaluation(
  ask: Call,
  { datasetAutomationId, exampleId }: ReferenceServer['world']['fixtures'],
): Promise<void> {
  const automation = `/v1/automations/${datasetAutomationId}`;
  await ask('GET', '/v1/automations?search=note');
  await ask('GET', `${automation}/versions`);
  await ask('GET', `${automation}/triggers`);
  await ask('PUT', `${automation}/evaluators`, {
    json: { yaml: 'evaluators: [{ type: exact_match }, { type: judge }]' },
  });
  await ask('GET', `${automation}/evaluators`);
  await ask('GET', `${automation}/examples`);
  const json = { input: { pages: 2 }, expected: { pages: 2 }, rowOrder: 1 };
  const created = await ask('POST', `${automation}/examples`, { json });
  const example = `${automation}/examples/${String(created.body?.['id'])}`;
  await ask('GET', example);
  await ask('PATCH', example, { json: { annotation: 'Two pages.' } });
  for (const folder of ['input', 'expected']) {
    await ask('POST', `${example}/${folder}`, formOf('page.txt', Buffer.from('one')));
    await ask('GET', `${example}/${folder}`);
    await ask('GET', `${example}/${folder}/page.txt`);
    await ask('PATCH', `${example}/${folder}/page.txt`, { json: { newFilename: 'a b.txt' } });
    await ask('DELETE', `${example}/${folder}/a%20b.txt`);
  }
  await ask('DELETE', example);
  await ask('POST', `${automation}/examples/${exampleId}/run`);
  const experiments = `${automation}/experiments`;
  const started = await ask('POST', experiments, { json: { batchConcurrency: 2 } });
  const experiment = `${experiments}/${String(started.body?.['id'])}`;
  await ask('GET', experiments);
  await ask('GET', experiment);
  await ask('POST', `${experiment}/cancel`);
  await ask('GET', `${experiment}/export?format=csv`);
  await ask('GET', `${experiments}/export?format=json`);
  await ask('POST', `${experiments}/stream`, { json: { examples: [] } });
}

function formOf(
  filename: string,
  bytes: Buffer,
): { body: Buffer; headers: Record<string, string> } {
  const head = `--edge\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`;
  return {
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--edge--\r\n')]),
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  };
}
