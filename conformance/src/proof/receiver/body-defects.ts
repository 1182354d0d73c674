import { parseJson } from '../../http/message.ts';
import type { Defect } from '../transformation.ts';
import { stepDefects } from './verifying.ts';

const textOf = (body: Uint8Array): string => Buffer.from(body).toString('utf8');
const latin1 = (body: Uint8Array): string => Buffer.from(body).toString('latin1');
const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array =>
  Buffer.from(text, encoding);

/** Verification of something else than the bytes of the body. */
export const bodyDefects: readonly Defect[] = [
  ...stepDefects('signature.raw-bytes', [
    [
      'body-serialized-again',
      'Verifies the body after parsing and serializing it.',
      { body: (body) => bytes(JSON.stringify(parseJson(textOf(body))) ?? '') },
    ],
    [
      'body-indented',
      'Verifies the body with an indentation of its own.',
      { body: (body) => bytes(JSON.stringify(parseJson(textOf(body)), null, 2) ?? '') },
    ],
    [
      'body-trimmed',
      'Verifies the body without the white space around it.',
      { body: (body) => bytes(latin1(body).trim(), 'latin1') },
    ],
    [
      'line-breaks-normalized',
      'Verifies the body with other line breaks.',
      { body: (body) => bytes(latin1(body).replaceAll('\r\n', '\n'), 'latin1') },
    ],
    [
      'body-decoded-as-latin-1',
      'Verifies the body as Latin-1 text in UTF-8.',
      { body: (body) => bytes(latin1(body)) },
    ],
    [
      'body-without-non-ascii',
      'Verifies the body without characters beyond ASCII.',
      { body: (body) => bytes(latin1(body).replaceAll(/[\x80-\xff]/g, ''), 'latin1') },
    ],
    [
      'first-kib-verified',
      'Verifies the first 16 KiB of the body.',
      { body: (body) => body.slice(0, 16 * 1024) },
    ],
    [
      'body-chunks-as-text',
      'Decodes each chunk of the body as text of its own.',
      {
        body: (body) => {
          const chunks: string[] = [];
          for (let at = 0; at < body.length; at += 1_000) {
            chunks.push(textOf(body.slice(at, at + 1_000)));
          }
          return bytes(chunks.join(''));
        },
      },
    ],
  ]),
  ...stepDefects('signature.message.other-body', [
    [
      'byte-order-mark-removed',
      'Verifies the body without a byte order mark.',
      { body: (body) => bytes(latin1(body).replace(/^\xef\xbb\xbf/, ''), 'latin1') },
    ],
    [
      'body-until-nul',
      'Verifies the body up to the first NUL.',
      { body: (body) => bytes(latin1(body).split('\0')[0] ?? '', 'latin1') },
    ],
    [
      'body-normalized',
      'Verifies the body in Unicode normalization form C.',
      { body: (body) => bytes(textOf(body).normalize('NFC')) },
    ],
    [
      'body-newlines-at-the-end-removed',
      'Verifies the body without line breaks at its end.',
      { body: (body) => bytes(latin1(body).replace(/[\r\n]+$/, ''), 'latin1') },
    ],
    [
      'empty-body-accepted',
      'Accepts an empty body without verification.',
      { atOnce: (_signed, { body }) => (body.byteLength === 0 ? true : null) },
    ],
  ]),
];
