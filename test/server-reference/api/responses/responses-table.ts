import { OPERATIONS, documentedPairs } from './documented-pairs.ts';
import { originsOf } from './produce-response.ts';

const MARKS = { itself: '●', injected: '○' };

/** A row for each operation, a column for each documented status. */
export function responsesTable(): string {
  const pairs = documentedPairs();
  const statuses = [...new Set(pairs.map(({ status }) => status))].toSorted((a, b) => a - b);
  const rows = OPERATIONS.map((operation) => {
    const cells = statuses.map((status) => {
      const pair = pairs.find((one) => one.operation === operation && one.status === status);
      const [origin] = pair === undefined ? [] : originsOf(pair);
      return origin === undefined ? '' : MARKS[origin];
    });
    return `| \`${operation.operationId}\` | ${cells.join(' | ')} |`;
  });
  const head = `| | ${statuses.join(' | ')} |`;
  return [head, `| --- |${' --- |'.repeat(statuses.length)}`, ...rows].join('\n');
}
