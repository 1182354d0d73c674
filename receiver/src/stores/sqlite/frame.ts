import type { EventContent, IncomingEvent } from '../store.ts';
import type { Moment } from './moment.ts';

/**
 * A frame holds the events of one commit as bytes. The host writes it, it becomes one row of the
 * inbox, and filing reads it. Layout, little-endian:
 *
 * - 24 bytes: the version, 7 unused bytes, the time of acceptance as two doubles (since the epoch, and
 *   monotonic)
 * - for each event: 4 bytes length of the head, 4 bytes length of the body, 2 bytes length of the id,
 *   the head (the id, then its content as JSON) and the body
 */
const VERSION = 1;
const FRAME_HEADER = 24;
const EVENT_HEADER = 10;
const FIRST_BYTES = 128 * 1024;
const MAX_KEPT_BYTES = 1024 * 1024;
const MAX_BYTES_PER_CHARACTER = 3;

/** A frame on its way between the host and the thread. */
export interface Frame {
  readonly buffer: ArrayBuffer;
  readonly length: number;
  /** Number of events. */
  readonly count: number;
}

/** Writes frames into buffers that come back from the thread. */
export class FrameWriter {
  readonly #spare: Buffer<ArrayBuffer>[] = [];
  #buffer = Buffer.from(new ArrayBuffer(FIRST_BYTES));
  #length = FRAME_HEADER;
  #count = 0;

  get length(): number {
    return this.#length;
  }

  get count(): number {
    return this.#count;
  }

  /** Copies an event. */
  add({ id, body, content }: IncomingEvent): void {
    const json = JSON.stringify(contentFields(content));
    const characters = id.length + json.length;
    this.#reserve(EVENT_HEADER + characters * MAX_BYTES_PER_CHARACTER + body.length);
    const buffer = this.#buffer;
    const start = this.#length + EVENT_HEADER;
    const idLength = buffer.write(id, start);
    const headLength = idLength + buffer.write(json, start + idLength);
    buffer.writeUInt32LE(headLength, this.#length);
    buffer.writeUInt32LE(body.length, this.#length + 4);
    buffer.writeUInt16LE(idLength, this.#length + 8);
    buffer.set(body, start + headLength);
    this.#length = start + headLength + body.length;
    this.#count += 1;
  }

  /** Returns the frame and begins the next one. */
  take(at: Moment): Frame {
    writeHeader(this.#buffer, at);
    const frame = { buffer: this.#buffer.buffer, length: this.#length, count: this.#count };
    this.#buffer = this.#spare.pop() ?? Buffer.from(new ArrayBuffer(FIRST_BYTES));
    this.#length = FRAME_HEADER;
    this.#count = 0;
    return frame;
  }

  /** Keeps a buffer that is no longer used, unless it is large. */
  reuse(buffer: ArrayBuffer): void {
    if (buffer.byteLength <= MAX_KEPT_BYTES) this.#spare.push(Buffer.from(buffer));
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.from(new ArrayBuffer(Math.max(needed, this.#buffer.length * 2)));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}

/** One event of a frame, which shares its bytes. */
export interface FramedEvent {
  readonly id: string;
  readonly body: Uint8Array;
  /** The whole entry, to copy it into another frame. */
  readonly entry: Uint8Array;
  content(): EventContent;
}

/** The time of acceptance and the events of a frame. */
export interface FrameContent {
  readonly at: Moment;
  readonly events: readonly FramedEvent[];
}

export function readFrame(bytes: Uint8Array): FrameContent {
  const frame = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (frame[0] !== VERSION) {
    throw new TypeError(`Frame must have version ${VERSION}, got ${frame[0]}.`);
  }
  const events: FramedEvent[] = [];
  for (let start = FRAME_HEADER; start < frame.length;) {
    const event = readEvent(frame, start);
    events.push(event);
    start += event.entry.length;
  }
  return { at: { wall: frame.readDoubleLE(8), monotonic: frame.readDoubleLE(16) }, events };
}

/** Returns the ids of the events of a frame, which is all that accepting new events needs. */
export function readIds(bytes: Uint8Array): readonly string[] {
  const frame = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ids: string[] = [];
  for (let start = FRAME_HEADER; start < frame.length;) {
    const head = start + EVENT_HEADER;
    ids.push(frame.toString('utf8', head, head + frame.readUInt16LE(start + 8)));
    start = head + frame.readUInt32LE(start) + frame.readUInt32LE(start + 4);
  }
  return ids;
}

/** Returns a frame of the chosen events of another one. */
export function partOf(bytes: Uint8Array, isChosen: readonly boolean[]): Uint8Array {
  const { at, events } = readFrame(bytes);
  const header = Buffer.alloc(FRAME_HEADER);
  writeHeader(header, at);
  const entries = events.filter((_, index) => isChosen[index]).map(({ entry }) => entry);
  return Buffer.concat([header, ...entries]);
}

function writeHeader(buffer: Buffer, { wall, monotonic }: Moment): void {
  buffer.fill(0, 0, FRAME_HEADER);
  buffer[0] = VERSION;
  buffer.writeDoubleLE(wall, 8);
  buffer.writeDoubleLE(monotonic, 16);
}

function readEvent(frame: Buffer, start: number): FramedEvent {
  const head = start + EVENT_HEADER;
  const body = head + frame.readUInt32LE(start);
  const end = body + frame.readUInt32LE(start + 4);
  const json = head + frame.readUInt16LE(start + 8);
  const id = frame.toString('utf8', head, json);
  return {
    id,
    body: frame.subarray(body, end),
    entry: frame.subarray(start, end),
    content: () => parseContent(id, frame.toString('utf8', json, body)),
  };
}

function contentFields(content: EventContent): readonly (string | null)[] {
  if (content.kind === 'single') return ['single'];
  if (content.kind === 'invalid') return ['invalid', content.error];
  const { previousStatus, currentStatus, createdAt } = content.edge;
  return ['run', content.runId, previousStatus, currentStatus, createdAt];
}

function parseContent(id: string, json: string): EventContent {
  const fields: unknown = JSON.parse(json);
  const [kind, first, previousStatus, currentStatus, createdAt] = Array.isArray(fields)
    ? fields.map((field): unknown => field)
    : [];
  if (kind === 'invalid') return { kind, error: String(first) };
  if (kind !== 'run') return { kind: 'single' };
  const edge = {
    id,
    previousStatus: typeof previousStatus === 'string' ? previousStatus : null,
    currentStatus: String(currentStatus),
    createdAt: String(createdAt),
  };
  return { kind, runId: String(first), edge };
}
