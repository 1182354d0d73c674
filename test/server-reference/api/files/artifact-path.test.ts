import * as fc from 'fast-check';
import { validateFileName } from 'yauzl';
import { ZipFile } from 'yazl';
import { describe, expect, test } from 'vitest';

import {
  readArtifactPath,
  readBasename,
} from '../../../../server-reference/src/api/files/artifact-path.ts';
import { ApiError } from '../../../../server-reference/src/errors.ts';

function refusal(read: () => string): ApiError | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

const SEGMENTS = 'é'.normalize('NFC').repeat(127);

/** Any character, and more often those that have rules. */
const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
      fc.constantFrom('.', '/', '\\', ' ', 'C:', '\u0000', 'e\u0301', 'a'),
    ),
    { maxLength: 6 },
  )
  .map((characters) => characters.join(''));

describe('readArtifactPath', () => {
  test.each([
    'note.pdf',
    'scans/note-0301.pdf',
    'a/b/c/d',
    '.hidden',
    '...a',
    'a..b',
    ' a',
    'CON',
    '__proto__',
    'constructor/toString',
    'Größe.txt',
    '．．／x',
    '😀.txt',
    '100%',
    '%2e%2e',
    'ab:c',
    `${SEGMENTS}x`,
    `${`${'a'.repeat(255)}/`.repeat(3)}${'b'.repeat(255)}`,
  ])('accepts %j unchanged', (path) => {
    expect(readArtifactPath(path, 'path')).toBe(path);
  });

  test.each([
    ['', 'must not be empty'],
    ['/', 'empty segment'],
    ['/etc/passwd', 'empty segment'],
    ['a//b', 'empty segment'],
    ['a/', 'empty segment'],
    ['//server/share', 'empty segment'],
    ['.', 'segment . or ..'],
    ['..', 'segment . or ..'],
    ['a/../b', 'segment . or ..'],
    ['a/./b', 'segment . or ..'],
    ['a\\b', 'backslash'],
    ['..\\..\\x', 'backslash'],
    ['a\u0000.pdf', 'control character'],
    ['a\r\nb', 'control character'],
    ['a\u007fb', 'control character'],
    ['a\u0085b', 'control character'],
    ['a\u2028b', 'line separator'],
    ['a\ud800b', 'surrogate'],
    ['C:/x', 'drive'],
    ['c:x', 'drive'],
    ['a/C:x', 'drive'],
    ['a.', 'dot or a blank'],
    ['a /b', 'dot or a blank'],
    ['...', 'dot or a blank'],
    [`${SEGMENTS}xy`, '255 bytes'],
    ['a/'.repeat(512) + 'b', '1024 bytes'],
    ['é.txt'.normalize('NFD'), 'form NFC'],
    ['\u212b.txt', 'form NFC'],
  ])('refuses %j', (path, why) => {
    const error = refusal(() => readArtifactPath(path, 'path'));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ issues: [{ code: 'invalid_value', field: 'path' }] });
    expect(String(error)).toContain(why);
  });

  test('suggests the composed form', () => {
    const error = refusal(() => readArtifactPath('é'.normalize('NFD'), 'path'));
    expect(error).toMatchObject({ details: { hint: expect.stringContaining('composed') } });
  });

  test('accepted paths are valid in ZIP archives', () => {
    const segment = fc.oneof(
      anyText,
      fc.constantFrom('.', '..', '', 'C:', 'a.', ' ', '\\', 'é', 'e\u0301'),
    );
    const paths = fc.array(segment, { maxLength: 4 }).map((segments) => segments.join('/'));
    fc.assert(
      fc.property(paths, (path) => {
        if (refusal(() => readArtifactPath(path, 'path')) !== path) return;
        expect(validateFileName(path)).toBeNull();
        expect(Buffer.from(path).toString()).toBe(path);
        // It throws for names that it does not write.
        new ZipFile().addBuffer(Buffer.alloc(0), path);
      }),
      { numRuns: 500 },
    );
  });
});

describe('readBasename', () => {
  test('accepts one segment by the rules of paths', () => {
    expect(readBasename('totals.xlsx', 'newFilename')).toBe('totals.xlsx');
    fc.assert(
      fc.property(anyText, (name) => {
        const asName = refusal(() => readBasename(name, 'f'));
        const asPath = refusal(() => readArtifactPath(name, 'f'));
        expect(asName === name).toBe(asPath === name && !name.includes('/'));
      }),
    );
  });
});
