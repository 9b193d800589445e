import { countOperations } from '../../audit/operation-counts.ts';
import type { OperationCount } from '../../audit/vault-sources.ts';
import type { Call, Reply } from '../../http/call.ts';
import type { Dependencies } from '../dependencies.ts';

/** Counts of operations by month, from this service's log and the vault's. */
export async function getOperationsReport(
  { postgres, usage }: Dependencies,
  { principal: { tenantId }, correlationId }: Call,
): Promise<Reply> {
  const [managed, audited] = await Promise.all([
    countOperations(postgres, tenantId),
    usage.operationsOf(tenantId, correlationId),
  ]);
  return { status: 200, body: showOperations([...managed, ...audited], new Date()) };
}

function showOperations(counts: readonly OperationCount[], now: Date): object {
  const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11, 1);
  const byMonth = Map.groupBy(counts, ({ year, month }) => Date.UTC(year, month - 1));
  const months = [...byMonth].toSorted(([a], [b]) => b - a).map(([, own]) => showMonth(own));
  return {
    start_date: new Date(start).toISOString(),
    end_date: now.toISOString(),
    total_operations: totalOf(counts),
    months,
  };
}

function showMonth(counts: readonly OperationCount[]): object {
  const operations = counts
    .toSorted((a, b) => compare(keyOf(a), keyOf(b)))
    .map(({ entityType, operation, purpose, count }) => ({
      entity_type: entityType,
      operation,
      purpose: purpose === '' ? undefined : purpose,
      count,
    }));
  return {
    year: counts[0]?.year,
    month: counts[0]?.month,
    total_operations: totalOf(counts),
    operations,
  };
}

function totalOf(counts: readonly OperationCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

const keyOf = ({ entityType, operation, purpose }: OperationCount) => `${entityType} ${operation} ${purpose}`;
const compare = (a: string, b: string) => (a < b ? -1 : 1);
