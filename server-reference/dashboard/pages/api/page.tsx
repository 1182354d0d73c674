import type { JSX } from 'preact';

import { address, openRow, pathOf } from '../../address.ts';
import { Loaded, valueOf } from '../../parts/loaded.tsx';
import { isMatch, searchWords } from '../../parts/list/search.ts';
import { Split } from '../../parts/page.tsx';
import type { Page } from '../../parts/page.tsx';
import { useRecord } from '../../rows/record.ts';
import { Chip } from '../../parts/values.tsx';
import { BESIDE, OperationDetail } from './detail.tsx';
import { readOperations } from './operations.ts';
import type { Operation } from './operations.ts';

/** The operations of the API, each with a curl command. */
export const api: Page = { name: 'api', title: 'API', key: 'a', view: () => <Operations /> };

function Operations(): JSX.Element {
  const { id } = address.value;
  const reading = useRecord('operations', { read: readOperations, concerns: () => false });
  const open = valueOf(reading)?.find(({ operationId }) => operationId === id);
  const list = <Loaded reading={reading}>{(all) => <OperationList all={all} />}</Loaded>;
  const detail =
    open === undefined ? null : <OperationDetail key={open.operationId} operation={open} />;
  return <Split list={list} detail={detail} />;
}

function OperationList({ all }: { readonly all: readonly Operation[] }): JSX.Element {
  const words = searchWords.value;
  const shown = all.filter(({ operationId, method, path, summary, isCompanion }) =>
    isMatch(words, {
      text: [operationId, method, path, summary, isCompanion ? BESIDE : ''].join(' '),
      ids: [],
    }),
  );
  if (shown.length === 0) return <p class="quiet">No operation matches the search.</p>;
  return (
    <div class="list operations" role="group" aria-label="Operations">
      <ul>
        {shown.map(({ operationId, method, path, summary, isCompanion }) => (
          <li key={operationId}>
            <a
              class="row"
              href={pathOf({ id: operationId })}
              data-row={operationId}
              aria-current={address.value.id === operationId ? 'true' : undefined}
              onClick={(event) => openRow(event, operationId)}
            >
              <b>{method}</b>
              <span class="id">{path}</span>
              <span class="quiet">{summary}</span>
              {isCompanion && <Chip tone="plain" text={BESIDE} />}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
