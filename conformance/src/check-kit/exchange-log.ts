import type { ApiRequest, ApiResponse } from '../clients/api-client.ts';
import type { HeaderPair, HttpExchange } from '../http/exchange.ts';
import { membersOf } from '../http/message.ts';
import type { Outgoing } from '../http/message.ts';
import { operationOf } from '../http/operation-of.ts';
import { errorFault, EXCHANGE_RULES, faultOf, retryAfterFault } from './exchange-rules.ts';
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
interface RuleRecord {
  readonly judged: number;
  readonly bad: number;
  readonly first: BadExchange | null;
}

/** The statuses after which the suite sends a request again. */
type PassingStatus = 429 | 503;

/** What the run has seen of responses that it did not cause. */
interface PassingRecord {
  readonly judged: number;
  /** The first of those that lack what the contract promises with their status. */
  readonly bad: readonly { readonly fault: Fault; readonly exchange: HttpExchange }[];
}

/** One operation at two addresses. */
const SAME_OPERATION: Readonly<Record<string, string>> = {
  copyOutputToExpectedApp: 'copyOutputToExpected',
};

const MAX_BAD_IN_PASSING = 2;

const NOTHING: RuleRecord = { judged: 0, bad: 0, first: null };

/** Judges every exchange of a run as it happens. Keeps one exchange for each operation and rule. */
export class ExchangeLog {
  readonly #records = new Map<string, RuleRecord>();
  readonly #passing = new Map<PassingStatus, PassingRecord>();

  note(request: ApiRequest, outgoing: Outgoing, response: ApiResponse): void {
    const operation = operationOf(outgoing);
    if (operation === null) return;
    const operationId = SAME_OPERATION[operation.operationId] ?? operation.operationId;
    for (const rule of EXCHANGE_RULES) {
      const fault = faultOf(rule, operation, response);
      if (fault === undefined) continue;
      const { judged, bad, first } = this.record(operationId, rule);
      this.#records.set(`${operationId} ${rule}`, {
        judged: judged + 1,
        bad: bad + (fault === null ? 0 : 1),
        first:
          first ??
          (fault === null ? null : badExchange(fault, asSent(request, outgoing), response)),
      });
    }
  }

  /** A 503 with nothing of an envelope is that of a gateway, which the contract does not describe. */
  notePassing(response: ApiResponse): void {
    const status = response.status === 429 ? 429 : 503;
    const retryAfter = retryAfterFault(response);
    const error = errorFault(response);
    if (status === 503 && error !== null && !hasPartOfEnvelope(response)) return;
    const { judged, bad } = this.passing(status);
    const fault = retryAfter ?? error;
    const isKept = fault !== null && bad.length < MAX_BAD_IN_PASSING;
    this.#passing.set(status, {
      judged: judged + 1,
      bad: isKept ? [...bad, { fault, exchange: response.exchange }] : bad,
    });
  }

  passing(status: PassingStatus): PassingRecord {
    return this.#passing.get(status) ?? { judged: 0, bad: [] };
  }

  record(operationId: string, rule: ExchangeRule): RuleRecord {
    return this.#records.get(`${operationId} ${rule}`) ?? NOTHING;
  }
}

function hasPartOfEnvelope({ json }: ApiResponse): boolean {
  const { issues, requestId } = membersOf(json);
  return issues !== undefined || requestId !== undefined;
}

/** The request with the key that it was sent with: another context has other keys. */
function asSent(request: ApiRequest, outgoing: Outgoing): ApiRequest {
  const given = (request.headers ?? []).filter((header) => !isAuthorization(header));
  return {
    ...request,
    key: null,
    headers: [...outgoing.headers.filter(isAuthorization), ...given],
  };
}

function isAuthorization([name]: HeaderPair): boolean {
  return name.toLowerCase() === 'authorization';
}

function badExchange(fault: Fault, request: ApiRequest, response: ApiResponse): BadExchange {
  const { status, exchange } = response;
  return { fault, request, status, exchange };
}
