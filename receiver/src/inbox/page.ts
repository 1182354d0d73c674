import { SCRIPT, STYLE } from './page-files.js';

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
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Webhook inbox</title>
<link rel="stylesheet" href="?file=style">
<script type="module" src="?file=script"></script>
</head>
<body><noscript>The inbox needs JavaScript.</noscript><div id="app"></div></body>
</html>
`;

/** Returns the page or one of its files. */
export function pageResponse({ method }: Request, file: string | null): Response {
  const found = FILES[file ?? 'page'];
  if (found === undefined) return new Response(null, { status: 404, headers: HEADERS });
  const headers = { ...HEADERS, 'content-type': `${found.type}; charset=utf-8` };
  return new Response(method === 'HEAD' ? null : found.text, { headers });
}

const FILES: Readonly<Record<string, { readonly type: string; readonly text: string }>> = {
  page: { type: 'text/html', text: PAGE },
  script: { type: 'text/javascript', text: SCRIPT },
  style: { type: 'text/css', text: STYLE },
};
