import { describe, expect, test } from 'vitest';

import { refusalOf } from '../../../conformance/src/wire/gate-rules.ts';

const rules = {
  allowWrites: false,
  allowDeletes: false,
  origins: {
    api: ['https://api.example'],
    control: ['https://control.example'],
    receiver: ['https://hook.example'],
    listener: ['https://tunnel.example'],
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
      ['GET', 'world/other'],
      ['POST', 'world'],
      ['POST', 'clock/advance'],
    ] as const) {
      expect(refusalOf({ ...control, method, url: at(path) }, rules)).toBe(
        `${method} on the control interface is locked: add --allow-writes`,
      );
      expect(refusalOf({ ...control, method, url: at(path) }, unlocked)).toBeNull();
    }
  });

  test('allow GET on the public URL of the listener only', () => {
    const listener = { channel: 'listener', access: 'read' } as const;
    const url = 'https://tunnel.example/hooks/token';
    expect(refusalOf({ ...listener, method: 'GET', url }, rules)).toBeNull();
    expect(refusalOf({ ...listener, method: 'POST', url }, unlocked)).toBe(
      'the listener accepts only GET, got POST',
    );
  });

  test('allow GET on storage, at redirect targets only', () => {
    const storage = { channel: 'storage', access: 'write' } as const;
    const url = 'https://storage.example/signed';
    const redirects = new Set([url]);
    expect(refusalOf({ ...storage, method: 'GET', url }, rules, redirects)).toBeNull();
    expect(refusalOf({ ...storage, method: 'PUT', url }, unlocked, redirects)).toBe(
      'storage accepts only GET, got PUT',
    );
    expect(refusalOf({ ...storage, method: 'GET', url: `${url}2` }, unlocked, redirects)).toBe(
      `${url}2 is not a redirect target of the API`,
    );
    expect(refusalOf({ ...storage, method: 'GET', url }, unlocked)).toBe(
      `${url} is not a redirect target of the API`,
    );
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

function storageRefusal(method: string, url: string, ...redirects: string[]): string | null {
  const request = { channel: 'storage', access: 'delete', method, url } as const;
  return refusalOf(request, unlocked, new Set(redirects));
}

describe('gate rules of storage', () => {
  const url = 'https://storage.example/1?signature=2';

  test('allow a GET of a URL that the API redirected to', () => {
    expect(storageRefusal('GET', url, url)).toBeNull();
  });

  test('refuse every other URL, of the same storage and of the API', () => {
    for (const other of ['https://storage.example/2', 'https://api.example/v1/files']) {
      expect(storageRefusal('GET', other, url)).toBe(
        `${other} is not a redirect target of the API`,
      );
    }
  });

  test.each(['PUT', 'DELETE', 'POST', 'HEAD'])('refuse %s', (method) => {
    expect(storageRefusal(method, url, url)).toBe(`storage accepts only GET, got ${method}`);
  });
});
