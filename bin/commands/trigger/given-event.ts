import { isRecord, readText } from '../../command-line/json-file.ts';
import { UsageError } from '../../command-line/errors.ts';
import { readDelivery } from '../../saved/delivery-folder.ts';

/**
 * Reads `--payload`: a whole payload, which is sent as it is, or its `data`, which gets the envelope of `like`.
 *
 * @throws {UsageError} if the file is neither
 */
export function readPayload(file: string, like: unknown): string {
  const text = textOf(`--payload ${file}`, () => readText(file));
  const value = parse(`--payload ${file}`, text);
  if (typeof value['id'] === 'string') return text;
  if (!isRecord(value['run'])) {
    throw new UsageError(
      `--payload ${file} must contain a payload with an id, or its data with a run, got ${namesOf(value)}.`,
    );
  }
  const type = 'previousStatus' in value ? 'run.status_changed' : 'run.created';
  return JSON.stringify({ ...(isRecord(like) ? like : {}), type, data: value });
}

/**
 * Reads the body of a delivery that `hookproof listen --save` wrote into a folder.
 *
 * @throws {UsageError} if the folder has none
 */
export function readSaved(folder: string): string {
  const { body } = readDelivery(folder);
  const text = textOf(`--from ${folder}`, () => DECODER.decode(body));
  parse(`--from ${folder}`, text);
  return text;
}

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A payload is sent as text, so its bytes must be those of a text. */
function textOf(subject: string, read: () => string): string {
  try {
    return read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${subject} must be readable UTF-8 text: ${reason}.`);
  }
}

function parse(subject: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Reported below.
  }
  throw new UsageError(`${subject} must contain a JSON object, such as {"id": "whev_1"}.`);
}

function namesOf(value: Record<string, unknown>): string {
  return Object.keys(value).join(', ') || 'no member';
}
