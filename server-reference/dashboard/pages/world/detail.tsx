import type { ApiKey, World } from '@hookproof/spec/control';
import type { JSX } from 'preact';

import { go, pathOf } from '../../address.ts';
import { deleteWorld, getWorld, listKeys } from '../../control/worlds.ts';
import { CopyButton } from '../../parts/command.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Loaded, valueOf } from '../../parts/loaded.tsx';
import { Detail } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useRecord } from '../../rows/record.ts';
import { token } from '../../session.ts';
import { checkCommand, environmentOf, fixturesOf } from './as-text.ts';
import { Keys } from './keys.tsx';

interface WorldProps {
  readonly id: string;
  readonly isDefault: boolean;
}

interface Shown {
  readonly world: World;
  readonly keys: readonly ApiKey[];
}

/** A world: its keys and fixtures, and both as the files and commands that use them. */
export function WorldDetail({ id, isDefault }: WorldProps): JSX.Element {
  const reading = useRecord(id, {
    read: async (): Promise<Shown> => {
      const [world, keys] = await Promise.all([getWorld(id), listKeys(id)]);
      return { world, keys: keys.data };
    },
    concerns: ({ event }) => event === 'key',
  });
  const shown = valueOf(reading);
  return (
    <Detail
      title="World"
      id={id}
      actions={
        shown && (
          <>
            <CopyButton label="Copy fixtures.json" text={() => fixturesOf(shown.world)} />
            <CopyButton
              label="Copy .env"
              text={() => environmentOf(shown.world, token.value ?? '')}
            />
            <CopyButton label="Copy check command" text={() => checkCommand(shown.world)} />
            {!isDefault && (
              <Confirm
                label="Delete"
                title="Delete the world"
                sure="Delete it with everything in it"
                done="World deleted."
                run={async () => {
                  await deleteWorld(id);
                  go({ id: null, filters: { world: '' } });
                }}
              />
            )}
          </>
        )
      }
    >
      <Loaded reading={reading}>{(value) => <WorldView {...value} />}</Loaded>
    </Detail>
  );
}

function WorldView({ world, keys }: Shown): JSX.Element {
  const filters = { world: world.id };
  return (
    <>
      <p class="line">
        {world.label !== undefined && <b>{`${world.label} `}</b>}
        Its <a href={pathOf({ page: 'runs', filters })}>runs</a>,{' '}
        <a href={pathOf({ page: 'endpoints', filters })}>endpoints</a> and{' '}
        <a href={pathOf({ page: 'deliveries', filters })}>deliveries</a>.
      </p>
      <Tabs
        label="World"
        tabs={[
          { name: 'Keys', view: () => <Keys world={world} keys={keys} /> },
          { name: 'Fixtures', view: () => <Fixtures of={world.fixtures} /> },
        ]}
      />
    </>
  );
}

function Fixtures({ of }: { readonly of: World['fixtures'] }): JSX.Element {
  return (
    <dl class="headers">
      {Object.entries(of).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
