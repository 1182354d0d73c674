// Checks a sender with a listener that ends TLS itself. The command has no option for a certificate.
import { readFileSync } from 'node:fs';
import { runConformance } from '@hookproof/conformance';

const { BASE_URL = '', CONTROL_URL = '', CONTROL_TOKEN = '', ONLY = '' } = process.env;
const { TLS_CERT = '', TLS_KEY = '' } = process.env;
const report = await runConformance({
  baseUrl: BASE_URL,
  control: { url: CONTROL_URL, token: CONTROL_TOKEN },
  sender: true,
  allowWrites: true,
  only: ONLY.split(','),
  listen: { tls: { cert: readFileSync(TLS_CERT, 'utf8'), key: readFileSync(TLS_KEY, 'utf8') } },
});
process.stdout.write(JSON.stringify(report));
