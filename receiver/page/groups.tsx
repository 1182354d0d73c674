import { useEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';

import type { DeadLetterGroup, DeadLetterGroups } from '../src/inbox/dead-letter-groups.ts';
import { read } from './call.ts';
import { hasSources } from './source.tsx';
import { failure, turn } from './state.ts';
import { Age, counted, Error } from './values.tsx';

interface GroupsProperties {
  readonly query: Readonly<Record<string, string>>;
  readonly onShow: (group: DeadLetterGroup) => void;
  readonly onRedrive: (group: DeadLetterGroup) => void;
}

/** The largest groups are shown: an outage has few causes. */
const SHOWN = 8;

/** Dead letters by handler and first line of the message, with one action for each group. */
export function Groups({ query, onShow, onRedrive }: GroupsProperties): JSX.Element | null {
  const [found, setFound] = useState<DeadLetterGroups | null>(null);
  const asked = JSON.stringify(query);
  useEffect(() => {
    let isCurrent = true;
    read('groups', query).then(
      (groups) => isCurrent && setFound(groups),
      (error: unknown) => {
        failure.value = error instanceof TypeError ? error.message : String(error);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [turn.value, asked]);
  if (found === null || found.groups.every(({ count }) => count === 1)) return null;
  const { groups, isComplete } = found;
  const shown = groups.slice(0, SHOWN);
  return (
    <section class="groups" aria-label="Dead letters by cause">
      <ul>
        {shown.map((group) => {
          const { source, handler, reason, message, count, newest } = group;
          const them = counted(count, 'dead letter');
          return (
            <li key={`${source} ${handler} ${reason} ${message}`}>
              <strong title={them}>{count.toLocaleString('en')} ×</strong>
              <span class="cause">
                {hasSources() && <span class="quiet">{source}</span>}
                {handler !== null && <span class="status">{handler}</span>}
                <Error text={message} />
              </span>
              <span class="quiet">
                latest <Age at={newest} /> ago
              </span>
              <span class="actions">
                <button aria-label={`Show ${them}: ${message}`} onClick={() => onShow(group)}>
                  Show
                </button>
                <button aria-label={`Redrive ${them}: ${message}`} onClick={() => onRedrive(group)}>
                  Redrive {count.toLocaleString('en')}…
                </button>
              </span>
            </li>
          );
        })}
      </ul>
      {(groups.length > SHOWN || !isComplete) && (
        <p class="quiet">
          {groups.length > SHOWN && `And ${counted(groups.length - SHOWN, 'smaller group')}. `}
          {!isComplete && 'Only the newest 10,000 are grouped.'}
        </p>
      )}
    </section>
  );
}
