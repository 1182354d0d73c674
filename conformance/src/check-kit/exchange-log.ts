import type { ApiRequest, ApiResponse } from '../clients/api-client.ts';
import type { HttpExchange } from '../http/exchange.ts';
import type { Outgoing } from '../http/message.ts';
import { operationOf } from '../http/operation-of.ts';
import { EXCHANGE_RULES, faultOf } from './exchange-rules.ts';
import type { ExchangeRule, Fault } from './exchange-rules.ts';

/** The first exchange of an operation that breaks a rule. */
export interface BadExchange {
  readonly fault: Fault;
  /** To send it again. */
  readonly request: ApiRequest;
  readonly status: number;
  readonly exchange: HttpExchange;
}

/** What the run has seen of one operation by one rule. */
export interface RuleRecord {
  readonly judged: number;
  readonly bad: number;
  readonly first: BadExchange | null;
}

const NOTHING: RuleRecord = { judged: 0, bad: 0, first: null };

/** Judges every exchange of a run as it happens. Keeps one exchange for each operation and rule. */
export class ExchangeLog {
  readonly #records = new Map<string, RuleRecord>();

  note(request: ApiRequest, outgoing: Outgoing, response: ApiResponse): void {
    const operation = operationOf(outgoing);
    if (operation === null) return;
    for (const rule of EXCHANGE_RULES) {
      const fault = faultOf(rule, operation, response);
      if (fault === undefined) continue;
      const { judged, bad, first } = this.record(operation.operationId, rule);
      this.#records.set(`${operation.operationId} ${rule}`, {
        judged: judged + 1,
        bad: bad + (fault === null ? 0 : 1),
        first: first ?? (fault === null ? null : badExchange(fault, request, response)),
      });
    }
  }

  record(operationId: string, rule: ExchangeRule): RuleRecord {
    return this.#records.get(`${operationId} ${rule}`) ?? NOTHING;
  }
}

function badExchange(fault: Fault, request: ApiRequest, response: ApiResponse): BadExchange {
  const { status, exchange } = response;
  return { fault, request, status, exchange };
}
