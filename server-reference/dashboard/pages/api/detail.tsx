import type { World } from '@hookproof/spec/control';
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';

import { address, WORLD } from '../../address.ts';
import { getWorld } from '../../control/worlds.ts';
import { CopyButton } from '../../parts/command.tsx';
import { Content } from '../../parts/content.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { attempt } from '../../parts/notice.tsx';
import { Detail } from '../../parts/page.tsx';
import { Chip, Facts } from '../../parts/values.tsx';
import { useRecord } from '../../rows/record.ts';
import { curlOf, filledPath, tryCall } from './operations.ts';
import type { Operation } from './operations.ts';

/** An operation: its scope, a curl command with a key of the world, and a form that sends the call. */
export function OperationDetail({ operation }: { readonly operation: Operation }): JSX.Element {
  const worldId = address.value.filters[WORLD];
  const reading = useRecord(`world ${worldId}`, {
    read: () => getWorld(worldId),
    concerns: () => false,
  });
  const { summary, description, scopes, isCompanion } = operation;
  return (
    <Detail title={summary}>
      <Facts
        of={{
          Operation: <code>{`${operation.method} ${operation.path}`}</code>,
          Scope: scopes.length === 0 ? 'the contract names none' : scopes.join(', '),
        }}
      />
      {isCompanion && (
        <p class="described">
          <Chip tone="plain" text={BESIDE} /> Clients of the platform call it, so this server has
          it. A deployment need not, and the suite never asks for it.
        </p>
      )}
      <p class="described">
        {description
          .split('`')
          .map((text, index) => (index % 2 === 0 ? text : <code>{text}</code>))}
      </p>
      <Loaded reading={reading}>{(world) => <Trial operation={operation} world={world} />}</Loaded>
    </Detail>
  );
}

/** How an operation is marked that only clients of the platform know. */
export const BESIDE = 'not in the contract';

interface TrialProps {
  readonly operation: Operation;
  readonly world: World;
}

function Trial({ operation, world: { keys, fixtures } }: TrialProps): JSX.Element {
  const { method, example, hasBody } = operation;
  const path = useSignal(filledPath(operation.path, fixtures));
  const name = useSignal('wildcard');
  const body = useSignal(example === null ? '' : JSON.stringify(example, null, 2));
  const response = useSignal<{ status: number; text: string } | null>(null);
  const key = Object.entries(keys).find(([one]) => one === name.value)?.[1] ?? '';
  const call = { method, path: path.value, key, body: body.value };
  const submit = (event: Event): void => {
    event.preventDefault();
    void attempt(async () => {
      response.value = await tryCall(call);
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      <label>
        {path.value.includes('{') ? 'Path: replace the parts in braces' : 'Path'}
        <input
          value={path.value}
          spellcheck={false}
          onInput={({ currentTarget: { value } }) => {
            path.value = value;
          }}
        />
      </label>
      <label>
        Key
        <select
          value={name.value}
          onChange={({ currentTarget: { value } }) => {
            name.value = value;
          }}
        >
          {Object.keys(keys).map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      {hasBody && (
        <label>
          Body
          <textarea
            rows={8}
            spellcheck={false}
            value={body.value}
            onInput={({ currentTarget: { value } }) => {
              body.value = value;
            }}
          />
        </label>
      )}
      <pre>{curlOf(call)}</pre>
      <div class="actions">
        <button type="submit" class="primary">
          Try
        </button>
        <CopyButton label="Copy curl" text={() => curlOf(call)} />
      </div>
      {response.value !== null && (
        <div role="status">
          <p class="line">
            <Chip
              tone={response.value.status < 400 ? 'good' : 'bad'}
              text={String(response.value.status)}
            />
          </p>
          <Content title="Response" text={response.value.text} />
        </div>
      )}
    </form>
  );
}
