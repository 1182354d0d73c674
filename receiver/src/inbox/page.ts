import { SCRIPT, STYLE } from './page-files.js';
import { tokenFor } from './token.ts';

/** Only the two files of this handler, nothing within the page, and no other site may frame it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** Files are named by a query, so that the page works below every path. */
const page = (token: string, showPayloads: boolean): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Hookproof inbox</title>
<link rel="stylesheet" href="?file=style">
<script type="module" src="?file=script"></script>
</head>
<body><noscript>The inbox needs JavaScript.</noscript><div id="app" data-token="${token}" data-payloads="${showPayloads}"></div></body>
</html>
`;

/** Returns the page with a token for its changes, or one of its files. */
export function pageResponse(
  request: Request,
  file: string | null,
  showPayloads: boolean,
): Response {
  if (file !== null) return response(request, FILES.get(file));
  const { token, cookie } = tokenFor(request);
  const made = response(request, { type: 'text/html', text: page(token, showPayloads) });
  if (cookie !== null) made.headers.append('set-cookie', cookie);
  return made;
}

interface File {
  readonly type: string;
  readonly text: string;
}

const FILES: ReadonlyMap<string, File> = new Map([
  ['script', { type: 'text/javascript', text: SCRIPT }],
  ['style', { type: 'text/css', text: STYLE }],
]);

function response({ method }: Request, file: File | undefined): Response {
  if (file === undefined) return new Response(null, { status: 404, headers: HEADERS });
  const headers = { ...HEADERS, 'content-type': `${file.type}; charset=utf-8` };
  return new Response(method === 'HEAD' ? null : file.text, { headers });
}
