import type { Activity } from '@hookproof/server-reference';

import { AFTER_TIME, timeOfDay } from '../../command-line/screen.ts';
import type { Paint, Screen } from '../../command-line/screen.ts';
import { safeLine, withoutSecrets } from '../../command-line/visible.ts';
import {
  explanationLines,
  failureOf,
  isAccepted,
  responseParts,
  rowOf,
  shownUrl,
} from '../../running/attempt-line.ts';

type Data<Event extends Activity['event']> = Extract<Activity, { event: Event }>['data'];
type Attempt = Data<'attempt'>;

/** The same failure of an endpoint within this time of the one before belongs to its burst. */
const BURST_MILLISECONDS = 2_000;

/** Shows requests and attempts as they happen. */
export interface ActivityLog {
  show(activity: Activity): void;
  /** Shows what is only counted so far. */
  end(): void;
}

/** Returns a log for a person, or one of lines of JSON. It shows no secret. */
export function activityLog(isJson: boolean, screen: Screen): ActivityLog {
  return isJson ? jsonLog(screen) : textLog(screen);
}

function jsonLog(screen: Screen): ActivityLog {
  return {
    show({ event, data }) {
      if (event !== 'request' && event !== 'attempt') return;
      const shown = 'url' in data ? { ...data, url: shownUrl(data.url) } : data;
      screen.print(withoutSecrets(JSON.stringify({ event, ...shown })));
    },
    end() {},
  };
}

/** The failures of one endpoint that repeat: the first is shown, the others are counted. */
interface Burst {
  readonly failure: string;
  readonly lastAt: number;
  readonly more: number;
}

function textLog(screen: Screen): ActivityLog {
  const { paint } = screen;
  const indent = ' '.repeat(AFTER_TIME);
  const bursts = new Map<string, Burst>();
  /** The fix that was shown last for an endpoint; forgotten when it accepts something. */
  const fixes = new Map<string, string>();
  const endBurst = (url: string): void => {
    const burst = bursts.get(url);
    bursts.delete(url);
    if (burst === undefined || burst.more === 0) return;
    screen.print(moreLine(burst, url));
  };
  const showAttempt = (attempt: Attempt): void => {
    const url = shownUrl(attempt.url) ?? 'deleted endpoint';
    const burst = nextBurst(bursts.get(url), attempt);
    if (burst !== null && burst.more > 0) {
      bursts.set(url, burst);
      screen.progress(moreLine(burst, url));
      return;
    }
    endBurst(url);
    if (burst !== null) bursts.set(url, burst);
    screen.print(attemptLine(attempt, paint));
    const lines = explanationLines(attempt).map(safeLine);
    const fix = lines.at(-1) ?? '';
    if (fixes.get(url) === fix && fix !== '') return;
    if (burst === null) fixes.delete(url);
    else fixes.set(url, fix);
    for (const line of lines) screen.print(indent + paint.dim(line));
  };
  return {
    show({ event, data }) {
      if (event === 'request') screen.print(requestLine(data, paint));
      if (event === 'attempt') showAttempt(data);
    },
    end() {
      for (const url of bursts.keys()) endBurst(url);
    },
  };
}

/** Returns the burst that an attempt begins or continues; null for one that was accepted. */
function nextBurst(former: Burst | undefined, attempt: Attempt): Burst | null {
  if (isAccepted(attempt)) return null;
  const failure = failureOf(attempt);
  const lastAt = Date.parse(attempt.startedAt);
  const goesOn =
    former !== undefined &&
    former.failure === failure &&
    lastAt - former.lastAt <= BURST_MILLISECONDS;
  return { failure, lastAt, more: goesOn ? former.more + 1 : 0 };
}

function moreLine({ failure, more, lastAt }: Burst, url: string): string {
  return rowOf([
    { text: timeOfDay(lastAt) },
    { text: `→ ${more} more with ${failure}` },
    { text: `from ${url}` },
  ]);
}

function requestLine(request: Data<'request'>, { dim, green, yellow, red }: Paint): string {
  const { at, method, path, status, milliseconds, refusedAt, code } = request;
  const color = status === null || status >= 500 ? red : status >= 400 ? yellow : green;
  return rowOf([
    { text: timeOfDay(at), paint: dim },
    { text: method },
    { text: path },
    { text: status === null ? 'no response' : String(status), paint: color },
    { text: `${milliseconds} ms`, paint: dim },
    ...(refusedAt === null ? [] : [{ text: `${code ?? 'refused'} (${refusedAt})` }]),
  ]);
}

function attemptLine(attempt: Attempt, paint: Paint): string {
  const { startedAt, type, runStatus, runId, url } = attempt;
  return rowOf([
    { text: timeOfDay(startedAt), paint: paint.dim },
    { text: `→ ${runStatus === null ? type : `${type} ${runStatus}`}` },
    { text: runId ?? 'test event' },
    { text: shownUrl(url) ?? 'deleted endpoint' },
    ...responseParts(attempt, paint),
  ]);
}
