import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { emptyFolder } from '../../empty-folder.ts';

/** A key and a certificate for this machine that no authority has signed, and their files. */
export interface SelfSigned {
  readonly key: Buffer;
  readonly cert: Buffer;
  readonly files: { readonly key: string; readonly cert: string };
}

/** Makes a pair, whose files are deleted when the test ends. */
export function selfSigned(): SelfSigned {
  const folder = emptyFolder();
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'certificate.pem') };
  const kind = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  const names = '-subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1';
  const command = `${kind} ${names}`.split(' ');
  execFileSync('openssl', [...command, '-keyout', files.key, '-out', files.cert], {
    stdio: 'ignore',
  });
  return { key: readFileSync(files.key), cert: readFileSync(files.cert), files };
}
