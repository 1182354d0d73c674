import { ApiError, ROOT, issue } from '../app/api-error.ts';

/** 413. */
export function fileTooLarge(limitBytes: number, field: string = ROOT): ApiError {
  const message = `a file of at most ${limitBytes} bytes is taken here`;
  return new ApiError(413, [issue('payload_too_large', field, message)]);
}
