import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { startControlled } from '../../lab/control/control-client.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';

test('an https endpoint with an untrusted certificate gets no request, and the delivery is retried', async () => {
  const folder = await temporaryFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const curve = 'ec_paramgen_curve:prime256v1';
  const command = `req -x509 -newkey ec -pkeyopt ${curve} -nodes -subj /CN=localhost -days 2`;
  execFileSync('openssl', [...command.split(' '), '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  const requests: string[] = [];
  const options = { key: readFileSync(key), cert: readFileSync(cert) };
  const server = createServer(options, (request) => requests.push(request.url ?? ''));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());

  const control = await startControlled();
  const { port } = server.address() as AddressInfo;
  await control.endpoint(`https://localhost:${port}/hook`);
  await control.run();
  await control.idle();
  expect(await control.onlyDelivery()).toMatchObject({
    status: 'pending',
    attempts: [{ status: null, error: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
  });
  expect(requests).toEqual([]);
});
