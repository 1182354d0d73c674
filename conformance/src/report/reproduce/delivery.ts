import type { HeaderPair, HttpExchange } from '../../http/exchange.ts';
import { headerValue } from '../../http/message.ts';
import type { ReceiverTarget } from '../../options/plan.ts';
import { digest, keyBytes } from '../../signing/signer.ts';
import type { Reproduction } from '../model.ts';
import { curlArguments, quoteAroundVariables, variable } from './shell.ts';

/** Below this distance the delivery was meant for the current time: clocks and transport take seconds. */
const NOW_SECONDS = 10;
/** Beyond this distance a timestamp is meant as a number, such as 0, and not as a time. */
const MAX_DISTANCE_SECONDS = 2 * 366 * 86_400;
const TIMESTAMP = 'HOOKPROOF_TIMESTAMP';
const DIGEST = 'HOOKPROOF_DIGEST';
const OF_THE_RUN =
  'The timestamp or the signature may belong to the time of the run. If the receiver refuses this line, run the check alone: it makes both for the current time.';

const KEYS: Readonly<Record<ReceiverTarget['secretEncoding'], string>> = {
  utf8: 'secret',
  base64: 'Buffer.from(secret.replace(/^whsec_/, ""), "base64")',
};

/**
 * A delivery of the suite as lines that sign it again at the current time: the signature of the run is out of date
 * after 300 s. Null when its body is not shown whole.
 */
export function deliveryCommands(
  exchange: HttpExchange,
  receiver: ReceiverTarget,
): Reproduction | null {
  if (curlArguments(exchange) === null) return null;
  const { headers, body } = exchange.request;
  const timestamps = valuesOf(headers, 'webhook-timestamp');
  const time = timestamps.flatMap((value) => timesIn(exchange, value))[0];
  if (time === undefined) return { commands: curlLine(exchange), note: OF_THE_RUN };
  const offset = offsetOf(exchange, time);
  const setTime = `export ${TIMESTAMP}="$(($(date +%s) ${offset < 0 ? '-' : '+'} ${Math.abs(offset)}))"`;
  const sent = replaced(exchange, time, TIMESTAMP);

  const key = keyBytes(receiver.secret, receiver.secretEncoding);
  const id = headerValue(headers, 'webhook-id') ?? '';
  const digestAt = (timestamp: string): string => digest(key, { id, timestamp, body: body ?? '' });
  const signed = timestamps.find((timestamp) =>
    headers.some(([, value]) => value.includes(digestAt(timestamp))),
  );
  if (signed === undefined) {
    return { commands: [setTime, ...curlLine(sent)], note: OF_THE_RUN };
  }
  const timestamp = signed.replaceAll(time, variable(TIMESTAMP));
  const text = quoteAroundVariables(`${id}.${timestamp}.${body ?? ''}`);
  const script = `const secret = process.env.WEBHOOK_SECRET; console.log(require("crypto").createHmac("sha256", ${KEYS[receiver.secretEncoding]}).update(process.argv[1]).digest("hex"))`;
  const setDigest = `export ${DIGEST}="$(WEBHOOK_SECRET="$WEBHOOK_SECRET" node -e '${script}' -- ${text})"`;
  return {
    commands: [setTime, setDigest, ...curlLine(replaced(sent, digestAt(signed), DIGEST))],
    note: null,
  };
}

function valuesOf(headers: readonly HeaderPair[], wanted: string): readonly string[] {
  return headers.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));
}

function curlLine(exchange: HttpExchange): string[] {
  return [`curl -i ${curlArguments(exchange)}`];
}

/** The delivery with a variable in place of a text of its headers. */
function replaced(exchange: HttpExchange, text: string, name: string): HttpExchange {
  const { request } = exchange;
  const headers = request.headers.map(
    ([header, value]) => [header, value.replaceAll(text, variable(name))] as const,
  );
  return { ...exchange, request: { ...request, headers } };
}

/** The numbers in a text that are a time near that of the run. */
function timesIn(exchange: HttpExchange, text: string): readonly string[] {
  return (text.match(/\d+/g) ?? []).filter(
    (digits) => Math.abs(offsetOf(exchange, digits)) < MAX_DISTANCE_SECONDS,
  );
}

/** How far the timestamp was from the time of the receiver, by the Date of its response. */
function offsetOf({ response }: HttpExchange, timestamp: string): number {
  const date = response === null ? undefined : headerValue(response.headers, 'date');
  const now = Date.parse(date ?? '') / 1000;
  const offset = Number.isNaN(now) ? 0 : Math.round(Number(timestamp) - now);
  return Math.abs(offset) <= NOW_SECONDS ? 0 : offset;
}
