/** An entry of an archive: a file that is stored as it is, or an empty folder. */
export interface ZipEntry {
  /** In UTF-8; a folder ends with a slash. */
  readonly name: Buffer;
  /** Bytes; 0 for a folder. */
  readonly size: number;
  /** Where its local header begins in the archive. */
  readonly offset: number;
  readonly isFolder: boolean;
}

// The signatures with which records begin: `PK` and two bytes.
const LOCAL_HEADER = 0x0403_4b50;
const DESCRIPTOR = 0x0807_4b50;
const ROW = 0x0201_4b50;
const END = 0x0605_4b50;
const LARGE_END = 0x0606_4b50;
const LOCATOR = 0x0706_4b50;

const LOCAL_HEADER_BYTES = 30;
const DESCRIPTOR_BYTES = 16;
const LARGE_DESCRIPTOR_BYTES = 24;
const ROW_BYTES = 46;
const LARGE_ROW_EXTRA_BYTES = 28;
const END_BYTES = 22;
const LARGE_END_BYTES = 56;
const LOCATOR_BYTES = 20;

const VERSION = 20;
const LARGE_VERSION = 45;
/** Unix attributes, version 6.3 of the format. */
const MADE_BY = (3 << 8) | 63;
const UTF_8_NAME = 0x800;
/** The checksum and the sizes follow the bytes, because they are known when the bytes are read. */
const SIZES_FOLLOW = 0x8;
/** Noon of 1 January 1980: the same entries give the same bytes at any time and place. */
const FIXED_TIME = 12 << 11;
const FIXED_DATE = (1 << 5) | 1;
const FILE_MODE = 0o100664;
const FOLDER_MODE = 0o40775;
const MAX_32 = 0xffff_ffff;
const MAX_16 = 0xffff;

/** Beyond the fields of 32 bits, ZIP64 records follow or extend the usual ones. */
function isLarge({ size, offset }: ZipEntry): boolean {
  return size >= MAX_32 || offset >= MAX_32;
}

function flagsOf({ isFolder }: ZipEntry): number {
  return isFolder ? UTF_8_NAME : UTF_8_NAME | SIZES_FOLLOW;
}

/** Returns the number of bytes of an entry in front of the directory: header, bytes and descriptor. */
export function entryLength(entry: ZipEntry): number {
  const descriptor = isLarge(entry) ? LARGE_DESCRIPTOR_BYTES : DESCRIPTOR_BYTES;
  return LOCAL_HEADER_BYTES + entry.name.length + entry.size + (entry.isFolder ? 0 : descriptor);
}

/** Returns the number of bytes of the row of an entry in the directory. */
export function rowLength(entry: ZipEntry): number {
  return ROW_BYTES + entry.name.length + (isLarge(entry) ? LARGE_ROW_EXTRA_BYTES : 0);
}

/** Returns what stands in front of the bytes of an entry. */
export function localHeader(entry: ZipEntry): Buffer {
  const header = Buffer.alloc(LOCAL_HEADER_BYTES + entry.name.length);
  header.writeUInt32LE(LOCAL_HEADER);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(flagsOf(entry), 6);
  header.writeUInt16LE(FIXED_TIME, 10);
  header.writeUInt16LE(FIXED_DATE, 12);
  header.writeUInt16LE(entry.name.length, 26);
  entry.name.copy(header, LOCAL_HEADER_BYTES);
  return header;
}

/** Returns what stands behind the bytes of a file. */
export function dataDescriptor(entry: ZipEntry, checksum: number): Buffer {
  const large = isLarge(entry);
  const descriptor = Buffer.alloc(large ? LARGE_DESCRIPTOR_BYTES : DESCRIPTOR_BYTES);
  descriptor.writeUInt32LE(DESCRIPTOR);
  descriptor.writeUInt32LE(checksum, 4);
  if (large) {
    descriptor.writeBigUInt64LE(BigInt(entry.size), 8);
    descriptor.writeBigUInt64LE(BigInt(entry.size), 16);
  } else {
    descriptor.writeUInt32LE(entry.size, 8);
    descriptor.writeUInt32LE(entry.size, 12);
  }
  return descriptor;
}

/** Returns the row of an entry in the directory. */
export function directoryRow(entry: ZipEntry, checksum: number): Buffer {
  const large = isLarge(entry);
  const row = Buffer.alloc(rowLength(entry));
  row.writeUInt32LE(ROW);
  row.writeUInt16LE(MADE_BY, 4);
  row.writeUInt16LE(large ? LARGE_VERSION : VERSION, 6);
  row.writeUInt16LE(flagsOf(entry), 8);
  row.writeUInt16LE(FIXED_TIME, 12);
  row.writeUInt16LE(FIXED_DATE, 14);
  row.writeUInt32LE(checksum, 16);
  row.writeUInt32LE(large ? MAX_32 : entry.size, 20);
  row.writeUInt32LE(large ? MAX_32 : entry.size, 24);
  row.writeUInt16LE(entry.name.length, 28);
  row.writeUInt16LE(large ? LARGE_ROW_EXTRA_BYTES : 0, 30);
  row.writeUInt16LE(entry.isFolder ? FOLDER_MODE : FILE_MODE, 40);
  row.writeUInt32LE(large ? MAX_32 : entry.offset, 42);
  entry.name.copy(row, ROW_BYTES);
  if (large) writeLargeExtra(row, ROW_BYTES + entry.name.length, entry);
  return row;
}

function writeLargeExtra(row: Buffer, at: number, { size, offset }: ZipEntry): void {
  row.writeUInt16LE(1, at);
  row.writeUInt16LE(LARGE_ROW_EXTRA_BYTES - 4, at + 2);
  row.writeBigUInt64LE(BigInt(size), at + 4);
  row.writeBigUInt64LE(BigInt(size), at + 12);
  row.writeBigUInt64LE(BigInt(offset), at + 20);
}

/** The directory of an archive. */
export interface ZipDirectoryPlace {
  /** Number of rows. */
  readonly count: number;
  /** Where it begins in the archive. */
  readonly offset: number;
  /** Bytes. */
  readonly length: number;
}

/** Returns the end of an archive, behind its directory. */
export function archiveEnd(directory: ZipDirectoryPlace, comment: string): Buffer {
  const { count, offset, length } = directory;
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END);
  end.writeUInt16LE(Math.min(count, MAX_16), 8);
  end.writeUInt16LE(Math.min(count, MAX_16), 10);
  end.writeUInt32LE(Math.min(length, MAX_32), 12);
  end.writeUInt32LE(Math.min(offset, MAX_32), 16);
  end.writeUInt16LE(comment.length, 20);
  const parts = [end, Buffer.from(comment, 'latin1')];
  const fits = count < MAX_16 && length < MAX_32 && offset < MAX_32;
  return Buffer.concat(fits ? parts : [largeEnd(directory), ...parts]);
}

function largeEnd({ count, offset, length }: ZipDirectoryPlace): Buffer {
  const end = Buffer.alloc(LARGE_END_BYTES + LOCATOR_BYTES);
  end.writeUInt32LE(LARGE_END);
  end.writeBigUInt64LE(BigInt(LARGE_END_BYTES - 12), 4);
  end.writeUInt16LE(MADE_BY, 12);
  end.writeUInt16LE(LARGE_VERSION, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(length), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  end.writeUInt32LE(LOCATOR, LARGE_END_BYTES);
  end.writeBigUInt64LE(BigInt(offset + length), LARGE_END_BYTES + 8);
  end.writeUInt32LE(1, LARGE_END_BYTES + 16);
  return end;
}
