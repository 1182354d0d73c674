import type { ApiKey, KeyCreation, Scope, World } from '@hookproof/spec/control';
import type { JSX } from 'preact';

import { createKey, revokeKey } from '../../control/worlds.ts';
import { CopyButton } from '../../parts/command.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { attempt } from '../../parts/notice.tsx';
import { Chip } from '../../parts/values.tsx';

interface KeysProps {
  readonly world: World;
  readonly keys: readonly ApiKey[];
}

/** The API keys of a world. */
export function Keys({ world, keys }: KeysProps): JSX.Element {
  return (
    <>
      <ul class="keys">
        {keys.map((key) => (
          <li key={key.id}>
            <Key apiKey={key} name={nameOf(key, world)} />
          </li>
        ))}
      </ul>
      <NewKey worldId={world.id} />
    </>
  );
}

/** The keys of the seed have names in the world. */
function nameOf({ key, name }: ApiKey, { keys }: World): string {
  return Object.entries(keys).find(([, secret]) => secret === key)?.[0] ?? name;
}

function Key({ apiKey, name }: { readonly apiKey: ApiKey; readonly name: string }): JSX.Element {
  const { id, key, scope, wildcardGranted, revokedAt } = apiKey;
  return (
    <>
      <b>{name}</b>
      <span class="quiet scope">
        {wildcardGranted ? 'every operation' : scope.join(', ') || 'no scope'}
      </span>
      {revokedAt === null ? (
        <span class="actions">
          <CopyButton text={key} title={`Copy the key ${name}`} />
          <Confirm
            label="Revoke"
            title={`Revoke the key ${name}`}
            sure="Revoke it"
            done="Key revoked."
            run={() => revokeKey(id)}
          />
        </span>
      ) : (
        <Chip tone="bad" text="revoked" />
      )}
    </>
  );
}

const SCOPES: readonly Scope[] = [
  'workflow:read',
  'workflow:write',
  'run:write',
  'run_review:write',
  'dataset_review:read',
  'dataset_review:write',
  'file:read',
  'file:write',
  'ocr:full',
];

function NewKey({ worldId }: { readonly worldId: string }): JSX.Element {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const given = new FormData(event.currentTarget).getAll('scope');
    const scope = SCOPES.filter((one) => given.includes(one));
    const body: KeyCreation = scope.length === 0 ? { worldId, wildcard: true } : { worldId, scope };
    void attempt(() => createKey(body), 'Key created.');
  };
  return (
    <form class="form" onSubmit={submit}>
      <fieldset>
        <legend>New key. Without a scope it can call every operation</legend>
        {SCOPES.map((scope) => (
          <label key={scope}>
            <input type="checkbox" name="scope" value={scope} /> {scope}
          </label>
        ))}
      </fieldset>
      <div class="actions">
        <button type="submit">Create key</button>
      </div>
    </form>
  );
}
