import type { Check } from '../../check-kit/check.ts';
import type { HttpExchange } from '../../http/exchange.ts';
import type { Facts } from '../../options/facts.ts';
import type { Plan } from '../../options/plan.ts';
import { keyVariable, UNKNOWN_KEY } from '../../redaction/redactor.ts';
import type { Reproduction } from '../model.ts';
import { deliveryCommands } from './delivery.ts';
import { senderCommands, senderWords } from './sender.ts';
import { needsListener, stepCommands } from './steps.ts';

/** What a check did before and when it failed. */
export interface Failure {
  readonly check: Check;
  readonly exchange: HttpExchange | null;
  /** What the control interface was made to do before. */
  readonly steps: readonly HttpExchange[];
}

/** The query and path of a signed URL are hidden: no line can have them. */
const IN_STORAGE = /\$\{?STORAGE_(QUERY|PATH)\b/;
const RUN_ALONE = 'Run this check alone: it sends the request again.';
const SIGNED_URL =
  'The storage URL was signed for this run. Run this check alone, or follow the redirect of the API again: curl -L.';
const OWN_LISTENER =
  'First set HOOKPROOF_LISTENER to the URL of a server of yours that responds as shown, and look at what arrives.';

/** How to see a failure by hand: as commands wherever the suite sent a request, else in words. */
export function reproductionOf(failure: Failure, plan: Plan, facts: Facts): Reproduction {
  const { check, exchange, steps } = failure;
  const words = { commands: [], note: RUN_ALONE };
  if (check.side === 'receiver') {
    if (exchange === null || plan.receiver === null) return words;
    return deliveryCommands(exchange, plan.receiver) ?? words;
  }
  if (exchange !== null && IN_STORAGE.test(exchange.request.url)) {
    return { commands: [], note: SIGNED_URL };
  }
  const isRequest = exchange?.sentBy === 'suite' && !steps.some((step) => isSame(step, exchange));
  const commands = stepCommands([...steps, ...(isRequest ? [exchange] : [])]);
  if (commands.length === 0 && check.side === 'sender') {
    if (plan.control === null) return senderWords(exchange);
    return { commands: senderCommands(plan.control.url), note: OWN_LISTENER };
  }
  if (commands.length === 0) return words;
  const lines = [...unknownKeyLines(commands), ...commands];
  return {
    commands: [...keyLines(lines, plan, facts), ...lines],
    note: needsListener(commands) ? OWN_LISTENER : null,
  };
}

function isSame(one: HttpExchange, other: HttpExchange): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A line that makes an unknown key in the form of the real one: it has other digits. */
function unknownKeyLines(commands: readonly string[]): string[] {
  if (!commands.some((line) => line.includes(`$${UNKNOWN_KEY}`))) return [];
  return [`${UNKNOWN_KEY}="$(printf %s "$${keyVariable('main')}" | tr 0-9 5-90-4)"`];
}

/** Lines that get the keys that only the control interface knows. */
function keyLines(commands: readonly string[], { control }: Plan, { keys }: Facts): string[] {
  if (control === null) return [];
  const used = Object.entries(keys).filter(([name, { source }]) => {
    const variable = keyVariable(name);
    const isUsed = commands.some((line) => new RegExp(`\\$${variable}\\b`).test(line));
    const isSet = commands.some((line) => line.startsWith(`${variable}=`));
    return source === 'control interface' && isUsed && !isSet;
  });
  if (used.length === 0) return [];
  const world = `curl -sS '${control.url}/world' -H 'authorization: Bearer '"$HOOKPROOF_CONTROL_TOKEN"`;
  return [
    `HOOKPROOF_WORLD="$(${world})"`,
    ...used.map(([name]) => {
      const member = name === 'main' ? 'wildcard' : name;
      return `${keyVariable(name)}="$(node -p 'JSON.parse(process.argv[1]).keys.${member}' "$HOOKPROOF_WORLD")"`;
    }),
  ];
}
