import { describe, expect, test } from 'vitest';

import { refusalOf } from '../../conformance/src/wire/gate-rules.ts';

const rules = {
  allowWrites: false,
  allowDeletes: false,
  origins: {
    api: ['https://api.example'],
    control: ['https://control.example'],
    receiver: ['https://hook.example'],
  },
};
const unlocked = { ...rules, allowWrites: true, allowDeletes: true };
const api = { channel: 'api', url: 'https://api.example/v1/files' } as const;
const control = { channel: 'control', access: 'read' } as const;

function at(path: string): string {
  return `https://control.example/_control/${path}`;
}

describe('gate rules', () => {
  test.each(['GET', 'HEAD'])('allow %s', (method) => {
    expect(refusalOf({ ...api, access: 'read', method }, rules)).toBeNull();
  });

  test.each(['POST', 'PUT', 'PATCH', 'OPTIONS', 'TRACE', 'get'])(
    'lock %s behind --allow-writes',
    (method) => {
      expect(refusalOf({ ...api, access: 'write', method }, rules)).toBe(
        `${method} is locked: add --allow-writes`,
      );
      expect(refusalOf({ ...api, access: 'write', method }, unlocked)).toBeNull();
    },
  );

  test('lock DELETE behind --allow-deletes', () => {
    const request = { ...api, access: 'delete', method: 'DELETE' } as const;
    expect(refusalOf(request, { ...rules, allowWrites: true })).toBe(
      'DELETE is locked: add --allow-deletes',
    );
    expect(refusalOf(request, unlocked)).toBeNull();
  });

  test('hold a check to its access, also in an unlocked run', () => {
    expect(refusalOf({ ...api, access: 'read', method: 'POST' }, unlocked)).toBe(
      'POST needs access write or delete, the check has read',
    );
    expect(refusalOf({ ...api, access: 'write', method: 'DELETE' }, unlocked)).toBe(
      'DELETE needs access delete, the check has write',
    );
  });

  test('keep every request at the origins of the run', () => {
    for (const url of [
      'https://hook.example/',
      'http://api.example/',
      'https://api.example@evil.example/',
    ]) {
      expect(refusalOf({ ...api, url, access: 'read', method: 'GET' }, unlocked)).toBe(
        `${url} is outside the origins of this run`,
      );
    }
  });

  test('allow only world and clock on the control interface of a locked run', () => {
    expect(refusalOf({ ...control, method: 'GET', url: at('world') }, rules)).toBeNull();
    expect(refusalOf({ ...control, method: 'GET', url: at('clock') }, rules)).toBeNull();
    for (const [method, path] of [
      ['GET', 'deliveries'],
      ['POST', 'world'],
      ['POST', 'clock/advance'],
    ] as const) {
      expect(refusalOf({ ...control, method, url: at(path) }, rules)).toBe(
        `${method} on the control interface is locked: add --allow-writes`,
      );
      expect(refusalOf({ ...control, method, url: at(path) }, unlocked)).toBeNull();
    }
  });

  test('allow deliveries to a named receiver', () => {
    const request = {
      channel: 'receiver',
      access: 'read',
      method: 'POST',
      url: 'https://hook.example/',
    } as const;
    expect(refusalOf(request, rules)).toBeNull();
  });
});
