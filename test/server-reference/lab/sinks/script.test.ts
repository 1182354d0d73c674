import { array, assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';

import { takeResponse } from '../../../../server-reference/src/lab/sinks/script.ts';
import type { Script } from '../../../../server-reference/src/lab/sinks/script.ts';

test('the nth arrival gets the nth response, and every later one the last', () => {
  const statuses = array(integer({ min: 200, max: 599 }), { minLength: 1, maxLength: 8 });
  assert(
    property(statuses, integer({ min: 1, max: 12 }), ([first = 200, ...rest], arrivals) => {
      const all = [first, ...rest];
      let script: Script = [{ status: first }, ...rest.map((status) => ({ status }))];
      for (let arrival = 1; arrival <= arrivals; arrival += 1) {
        const { response, left } = takeResponse(script);
        expect(response).toEqual({ status: all[arrival - 1] ?? all.at(-1) });
        expect(left).toHaveLength(Math.max(1, all.length - arrival));
        script = left;
      }
    }),
  );
});
