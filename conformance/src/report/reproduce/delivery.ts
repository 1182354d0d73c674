import type { HttpExchange } from '../../http/exchange.ts';
import { headerValue } from '../../http/message.ts';
import type { ReceiverTarget } from '../../options/plan.ts';
import { digest, keyBytes } from '../../signing/signer.ts';
import type { Reproduction } from '../model.ts';
import { curlArguments, quoteAroundVariables } from './shell.ts';

/** Below this distance the delivery was meant for the current time: clocks and transport take seconds. */
const NOW_SECONDS = 10;

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
  const { headers, body } = exchange.request;
  const id = headerValue(headers, 'webhook-id');
  const timestamp = headerValue(headers, 'webhook-timestamp');
  const signature = headerValue(headers, 'webhook-signature');
  if (curlArguments(exchange) === null) return null;
  if (id === undefined || timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) {
    return { commands: curlLine(exchange), note: null };
  }
  const offset = offsetOf(exchange, Number(timestamp));
  const commands = [
    `export HOOKPROOF_TIMESTAMP="$(($(date +%s) ${offset < 0 ? '-' : '+'} ${Math.abs(offset)}))"`,
  ];
  const key = keyBytes(receiver.secret, receiver.secretEncoding);
  const valid = digest(key, { id, timestamp, body: body ?? '' });
  if (signature?.toLowerCase().includes(valid) !== true) {
    const sent = fresh(exchange, timestamp, []);
    return {
      commands: [...commands, ...curlLine(sent)],
      note: 'The signature is wrong on purpose, and was made for the time of the run. If the receiver refuses this line, run the check alone: it makes the wrong signature for the current time.',
    };
  }
  const sent = fresh(exchange, timestamp, [
    [valid, '$HOOKPROOF_DIGEST'],
    [valid.toUpperCase(), '$HOOKPROOF_DIGEST'],
  ]);
  const text = quoteAroundVariables(`${id}.$HOOKPROOF_TIMESTAMP.${body ?? ''}`);
  const script = `const secret = process.env.WEBHOOK_SECRET; console.log(require("crypto").createHmac("sha256", ${KEYS[receiver.secretEncoding]}).update(process.argv[1]).digest("hex"))`;
  commands.push(
    `export HOOKPROOF_DIGEST="$(WEBHOOK_SECRET="$WEBHOOK_SECRET" node -e '${script}' -- ${text})"`,
  );
  return { commands: [...commands, ...curlLine(sent)], note: null };
}

function curlLine(exchange: HttpExchange): string[] {
  return [`curl -i ${curlArguments(exchange)}`];
}

/** The delivery with variables in place of the texts that belong to the time of the run. */
function fresh(
  exchange: HttpExchange,
  timestamp: string,
  more: readonly (readonly [text: string, variable: string])[],
): HttpExchange {
  const { request } = exchange;
  const headers = request.headers.map(([name, value]) => {
    const isTime = name.toLowerCase() === 'webhook-timestamp' && value === timestamp;
    const changed = more.reduce(
      (text, [part, variable]) => text.replaceAll(part, () => variable),
      value,
    );
    return [name, isTime ? '$HOOKPROOF_TIMESTAMP' : changed] as const;
  });
  return { ...exchange, request: { ...request, headers } };
}

/** How far the timestamp was from the time of the receiver, by the Date of its response. */
function offsetOf({ response }: HttpExchange, timestamp: number): number {
  const date = response === null ? undefined : headerValue(response.headers, 'date');
  const now = Date.parse(date ?? '') / 1000;
  const offset = Number.isNaN(now) ? 0 : Math.round(timestamp - now);
  return Math.abs(offset) <= NOW_SECONDS ? 0 : offset;
}
