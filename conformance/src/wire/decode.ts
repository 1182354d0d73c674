import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

import { headerValue } from '../http/message.ts';
import type { Incoming } from '../http/message.ts';
import { Inconclusive } from '../verdict/findings.ts';
import { MAX_RESPONSE_BYTES } from './transport.ts';

type Decoder = (bytes: Uint8Array) => Promise<Uint8Array>;

const LIMIT = { maxOutputLength: MAX_RESPONSE_BYTES };
const unzip = promisify(gunzip);
const decodeDeflate = promisify(inflate);
const decodeRawDeflate = promisify(inflateRaw);
const decodeBrotli = promisify(brotliDecompress);

const DECODERS: Readonly<Record<string, Decoder>> = {
  identity: (bytes) => Promise.resolve(bytes),
  gzip: (bytes) => unzip(bytes, LIMIT),
  'x-gzip': (bytes) => unzip(bytes, LIMIT),
  // Many servers leave out the header and checksum that RFC 9110 requires.
  deflate: (bytes) => {
    const isWrapped = (bytes[0] ?? 0) % 16 === 8;
    return isWrapped ? decodeDeflate(bytes, LIMIT) : decodeRawDeflate(bytes, LIMIT);
  },
  br: (bytes) => decodeBrotli(bytes, LIMIT),
};

/**
 * The response without its content coding and without the header that names it. The suite asks for none, but a target or
 * a gateway may use one all the same. Throws `Inconclusive` for a coding that it cannot read.
 */
export async function decoded(incoming: Incoming): Promise<Incoming> {
  const coding = headerValue(incoming.headers, 'content-encoding');
  if (coding === undefined || incoming.bytes.byteLength === 0) return incoming;
  let { bytes } = incoming;
  for (const name of coding.toLowerCase().split(',').toReversed()) {
    bytes = await decode(name.trim(), bytes);
  }
  const headers = incoming.headers.filter(([name]) => name.toLowerCase() !== 'content-encoding');
  return { ...incoming, headers, bytes };
}

async function decode(coding: string, bytes: Uint8Array): Promise<Uint8Array> {
  const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (decoder === undefined) {
    throw new Inconclusive(
      `Cannot judge: the response has the content-encoding ${coding}, which the suite did not ask for and cannot read.`,
    );
  }
  try {
    return await decoder(bytes);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
      throw new Inconclusive(
        `The response is larger than ${MAX_RESPONSE_BYTES} bytes when decompressed.`,
      );
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new Inconclusive(
      `Cannot judge: the response has the content-encoding ${coding}, but its bytes are not ${coding}: ${reason}.`,
    );
  }
}
