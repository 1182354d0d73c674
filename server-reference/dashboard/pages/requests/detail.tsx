import type { ApiKey, ApiRequestDetail } from '@hookproof/spec/control';
import type { JSX } from 'preact';

import { pathOf } from '../../address.ts';
import { getRequest } from '../../control/operations.ts';
import { useKeys } from '../../keyboard.ts';
import { CopyButton, copyText } from '../../parts/command.tsx';
import { Content, Headers } from '../../parts/content.tsx';
import { Loaded, valueOf } from '../../parts/loaded.tsx';
import { notify } from '../../parts/notice.tsx';
import { Detail } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Chip, duration, Facts, Time } from '../../parts/values.tsx';
import { useRecord } from '../../rows/record.ts';
import { curlOf, keyName, responseOf } from './request-words.ts';

interface RequestProps {
  readonly id: string;
  readonly keys: readonly ApiKey[];
}

/** A request with both sides, and why it was refused. */
export function RequestDetail({ id, keys }: RequestProps): JSX.Element {
  const reading = useRecord(id, { read: () => getRequest(id), concerns: () => false });
  const shown = valueOf(reading);
  useKeys(
    shown === undefined
      ? {}
      : {
          c: () => void copyText(curlOf(shown)).then(() => notify('curl command copied.', 'good')),
        },
  );
  return (
    <Detail
      title="Request"
      id={id}
      actions={shown && <CopyButton label="Copy curl" text={() => curlOf(shown)} />}
    >
      <Loaded reading={reading}>{(detail) => <RequestView detail={detail} keys={keys} />}</Loaded>
    </Detail>
  );
}

function RequestView({
  detail,
  keys,
}: {
  readonly detail: ApiRequestDetail;
  readonly keys: readonly ApiKey[];
}): JSX.Element {
  const { request, query, hint } = detail;
  const { method, path, at, keyId, operationId, refusedAt, code, milliseconds } = request;
  return (
    <>
      <Facts
        of={{
          Request: `${method} ${path}${query === '' ? '' : `?${query}`}`,
          Operation: operationId,
          Time: <Time iso={at} />,
          Key: keyId === null ? keyName(keyId, keys) : keyLink(keyId, keys),
          Response: (
            <>
              <Chip {...responseOf(request)} /> {duration(milliseconds)}
            </>
          ),
        }}
      />
      {refusedAt !== null && (
        <div class="explanation">
          <h3>
            {refusedAt === 'route'
              ? 'Refused: no operation has this method and path'
              : `Refused by the step ${refusedAt}`}
          </h3>
          <p>
            Code <code>{code}</code>
          </p>
          {hint !== null && <p>{hint}</p>}
        </div>
      )}
      <Tabs
        label="Request"
        initial={refusedAt === null ? 'Sent' : 'Came back'}
        tabs={[
          { name: 'Sent', view: () => <Sent {...detail} /> },
          { name: 'Came back', view: () => <CameBack {...detail} /> },
        ]}
      />
    </>
  );
}

function keyLink(keyId: string, keys: readonly ApiKey[]): JSX.Element {
  return <a href={pathOf({ page: 'requests', filters: { key: keyId } })}>{keyName(keyId, keys)}</a>;
}

function Sent({ requestHeaders, requestBody }: ApiRequestDetail): JSX.Element {
  return (
    <>
      <Headers headers={requestHeaders} />
      {requestBody === null ? (
        <p class="quiet">The server read no JSON body.</p>
      ) : (
        <Content title="Body" text={requestBody} />
      )}
    </>
  );
}

function CameBack({ responseHeaders, responseBody }: ApiRequestDetail): JSX.Element {
  return (
    <>
      <Headers headers={responseHeaders} />
      {responseBody === null ? (
        <p class="quiet">The response had no JSON body.</p>
      ) : (
        <Content title="Body" text={responseBody} />
      )}
    </>
  );
}
