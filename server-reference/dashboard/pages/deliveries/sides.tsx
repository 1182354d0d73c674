import type { AttemptDetail, AttemptExplanation, AttemptRequest } from '@hookproof/spec/control';
import type { JSX } from 'preact';

import { Content, Headers } from '../../parts/content.tsx';
import { Difference } from '../../parts/difference.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Chip, duration } from '../../parts/values.tsx';
import { errorWord } from './row.tsx';

/** The tab Came back has the whole body. */
const MAX_QUOTED_CHARACTERS = 300;

interface SidesProps {
  readonly detail: AttemptDetail;
  /** Null while the server retries by itself. */
  readonly redeliver: (() => void) | null;
}

/** Both sides of an attempt. Opens with the explanation if there is one. */
export function Sides({ detail, redeliver }: SidesProps): JSX.Element {
  const { explanation, original, attempt } = detail;
  const isChanged = original !== null || attempt.deliveryFault !== null;
  return (
    <Tabs
      label="Attempt"
      initial={explanation === null ? undefined : 'Explain'}
      tabs={[
        { name: 'Sent', view: () => <Sent detail={detail} /> },
        { name: 'Came back', view: () => <CameBack detail={detail} /> },
        ...(isChanged ? [{ name: 'Difference', view: () => <Differences detail={detail} /> }] : []),
        ...(explanation === null
          ? []
          : [
              {
                name: 'Explain',
                view: () => (
                  <Explanation detail={detail} explanation={explanation} redeliver={redeliver} />
                ),
              },
            ]),
      ]}
    />
  );
}

function Sent({ detail: { sent, attempt } }: { readonly detail: AttemptDetail }): JSX.Element {
  if (sent === null) {
    const wasSent = attempt.webhookTimestamp !== null;
    return (
      <p class="quiet">
        {wasSent ? 'The server no longer keeps this request.' : 'Nothing was sent.'}
      </p>
    );
  }
  return (
    <>
      <p class="line">
        <b>POST</b> <span class="id">{sent.url}</span>
      </p>
      <Headers headers={sent.headers} />
      <Content title="Body" text={bodyOf(sent)} />
    </>
  );
}

function CameBack({ detail }: { readonly detail: AttemptDetail }): JSX.Element {
  const { attempt, responseHeaders } = detail;
  const { status, error, detail: message, responseBody, retryAfter } = attempt;
  const milliseconds = Date.parse(attempt.finishedAt) - Date.parse(attempt.startedAt);
  return (
    <>
      <p class="line">
        {status === null ? (
          <Chip tone="bad" text={errorWord(error)} />
        ) : (
          <Chip tone={status >= 200 && status < 300 ? 'good' : 'bad'} text={String(status)} />
        )}{' '}
        after {duration(milliseconds)}
        {retryAfter !== null && ` · asked to wait ${retryAfter.asked} s`}
      </p>
      {message !== null && <p>{message}</p>}
      {responseHeaders !== null && <Headers headers={responseHeaders} />}
      {responseBody !== null && <Content title="Body" text={responseBody} />}
    </>
  );
}

function Differences({ detail }: { readonly detail: AttemptDetail }): JSX.Element {
  const { original, sent, differs, attempt } = detail;
  if (original === null || sent === null) {
    return (
      <p class="quiet">
        {`The delivery fault ${attempt.deliveryFault} changed neither headers nor body.`}
      </p>
    );
  }
  return (
    <>
      <p class="line">
        The delivery fault <Chip tone="wait" text={attempt.deliveryFault ?? 'unknown'} /> changed:
      </p>
      {differs
        .filter((name) => name !== 'body')
        .map((name) => (
          <Difference
            key={name}
            title={name}
            before={headerOf(original, name)}
            after={headerOf(sent, name)}
          />
        ))}
      {differs.includes('body') && (
        <Difference title="Body" before={bodyOf(original)} after={bodyOf(sent)} />
      )}
    </>
  );
}

interface ExplanationProps extends SidesProps {
  readonly explanation: AttemptExplanation;
}

function Explanation({
  detail: { attempt },
  explanation,
  redeliver,
}: ExplanationProps): JSX.Element {
  return (
    <div class="explanation">
      <h3>{explanation.cause.replaceAll('_', ' ')}</h3>
      <ul>
        {explanation.evidence.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {attempt.responseBody && (
        <blockquote aria-label="Body of the response">
          {attempt.responseBody.slice(0, MAX_QUOTED_CHARACTERS)}
        </blockquote>
      )}
      <p class="fix">
        <b>Fix:</b> {explanation.fix}
      </p>
      {redeliver !== null && (
        <p>
          <button type="button" onClick={redeliver}>
            Redeliver
          </button>{' '}
          <span class="quiet">
            or, for all that ended: <code>npx hookproof redeliver ended</code>
          </span>
        </p>
      )}
    </div>
  );
}

function headerOf({ headers }: AttemptRequest, name: string): string {
  return headers.find(([each = '']) => each.toLowerCase() === name)?.[1] ?? '';
}

function bodyOf({ body, bodyBase64 }: AttemptRequest): string {
  return body ?? `base64: ${bodyBase64}`;
}
