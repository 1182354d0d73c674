import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a hand-made archive. What is given here need not be true. */
export interface RawEntry {
  /** Text is written in UTF-8. */
  readonly name: string | Buffer;
  readonly bytes?: string | Buffer;
  readonly deflated?: boolean;
  /** The declared values; default: the true ones. */
  readonly size?: number;
  readonly crc?: number;
  readonly method?: number;
  readonly flags?: number;
  /** The mode of a file in Unix, such as that of a symbolic link. */
  readonly mode?: number;
}

const UTF8 = 0x800;

/** Writes a ZIP archive without any check of its entries. */
export function writeZip(entries: readonly RawEntry[], comment = ''): Buffer {
  const bodies: Buffer[] = [];
  const rows: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const bytes = Buffer.from(entry.bytes ?? '');
    const packed = entry.deflated === true ? deflateRawSync(bytes) : bytes;
    const method = entry.method ?? (entry.deflated === true ? 8 : 0);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(entry.flags ?? UTF8, 2);
    facts.writeUInt16LE(method, 4);
    facts.writeUInt32LE(entry.crc ?? crc32(bytes), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(entry.size ?? bytes.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    const made = Buffer.from([20, 3]);
    rows.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), made, facts, tail, name]));
    const body = Buffer.concat([Buffer.from('PK\u0003\u0004'), facts, name, packed]);
    bodies.push(body);
    offset += body.length;
  }
  const directory = Buffer.concat(rows);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...bodies, directory, end, Buffer.from(comment)]);
}
