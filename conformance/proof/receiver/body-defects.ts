import { parseJson } from '@hookproof/conformance/hooks';

import { defect } from '../kit/defect.ts';
import type { Defect } from '../kit/defect.ts';
import { verifies } from '../kit/receiver.ts';

const RAW = 'signature.raw-bytes';
const OTHER_BODY = 'signature.message.other-body';

const textOf = (body: Uint8Array): string => Buffer.from(body).toString('utf8');
const latin1 = (body: Uint8Array): string => Buffer.from(body).toString('latin1');
const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array =>
  Buffer.from(text, encoding);

/** Verification of something else than the bytes of the body. */
export const bodyDefects: readonly Defect[] = [
  defect({
    id: 'body-serialized-again',
    breaks: RAW,
    does: 'Verifies the body after it has parsed and serialized it.',
    receiver: verifies({
      body: (body) => bytes(JSON.stringify(parseJson(textOf(body))) ?? ''),
    }),
  }),
  defect({
    id: 'body-trimmed',
    breaks: RAW,
    does: 'Verifies the body without the white space around it.',
    receiver: verifies({ body: (body) => bytes(latin1(body).trim(), 'latin1') }),
  }),
  defect({
    id: 'line-breaks-normalized',
    breaks: RAW,
    does: 'Verifies the body with every CRLF replaced by LF.',
    receiver: verifies({
      body: (body) => bytes(latin1(body).replaceAll('\r\n', '\n'), 'latin1'),
    }),
  }),
  defect({
    id: 'body-decoded-as-latin-1',
    breaks: RAW,
    does: 'Decodes the body as Latin-1 and encodes it as UTF-8 before it verifies.',
    receiver: verifies({ body: (body) => bytes(latin1(body)) }),
  }),
  defect({
    id: 'body-without-non-ascii',
    breaks: RAW,
    does: 'Verifies the body without its non-ASCII characters.',
    receiver: verifies({
      body: (body) => bytes(latin1(body).replaceAll(/[\x80-\xff]/g, ''), 'latin1'),
    }),
  }),
  defect({
    id: 'first-16-kib-verified',
    breaks: RAW,
    does: 'Verifies the first 16 KiB of the body.',
    receiver: verifies({ body: (body) => body.slice(0, 16 * 1024) }),
  }),
  defect({
    id: 'body-chunks-as-text',
    breaks: RAW,
    does: 'Decodes each chunk of the body on its own.',
    receiver: verifies({
      body: (body) => {
        const chunks: string[] = [];
        for (let at = 0; at < body.length; at += 1_000) {
          chunks.push(textOf(body.slice(at, at + 1_000)));
        }
        return bytes(chunks.join(''));
      },
    }),
  }),
  defect({
    id: 'byte-order-mark-removed',
    breaks: OTHER_BODY,
    does: 'Verifies the body without a byte order mark.',
    receiver: verifies({
      body: (body) => bytes(latin1(body).replace(/^\xef\xbb\xbf/, ''), 'latin1'),
    }),
  }),
  defect({
    id: 'body-until-nul',
    breaks: OTHER_BODY,
    does: 'Verifies the body up to the first NUL.',
    receiver: verifies({ body: (body) => bytes(latin1(body).split('\0')[0] ?? '', 'latin1') }),
  }),
  defect({
    id: 'body-normalized',
    breaks: OTHER_BODY,
    does: 'Verifies the body in Unicode normalization form C.',
    receiver: verifies({ body: (body) => bytes(textOf(body).normalize('NFC')) }),
  }),
  defect({
    id: 'empty-body-accepted',
    breaks: OTHER_BODY,
    does: 'Accepts an empty body without verification.',
    receiver: verifies({ atOnce: (_signed, { body }) => (body.byteLength === 0 ? true : null) }),
  }),
];
