import { crc32, deflateSync } from 'node:zlib';

import { asset } from './asset.ts';
import type { Asset } from './asset.ts';

/**
 * A PNG in shades of grey. It is not compressed, since the bytes must not change with the version of zlib.
 *
 * @param shade - of a pixel: 0 for black up to 255 for white
 */
export function png(width: number, height: number, shade: (x: number, y: number) => number): Asset {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const pixels = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) pixels[y * (width + 1) + 1 + x] = shade(x, y);
  }
  return asset(
    'image/png',
    Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(pixels, { level: 0 })),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  );
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
