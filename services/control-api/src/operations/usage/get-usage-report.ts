import type { Usage } from '../../audit/vault-sources.ts';
import type { Call, Reply } from '../../http/call.ts';
import type { Dependencies } from '../dependencies.ts';

/** Tokens are not billed, so the included number is unlimited (ADR 22). */
const unlimited = 2 ** 31 - 1;

export async function getUsageReport(
  { usage }: Dependencies,
  { principal, correlationId }: Call,
): Promise<Reply> {
  return {
    status: 200,
    body: showUsage(await usage.usageOf(principal.tenantId, correlationId), new Date()),
  };
}

/** The report as the API shows it (contract/tenants.md#reports). */
function showUsage({ types, months }: Usage, now: Date): object {
  const isCurrent = ({ year, month }: { readonly year: number; readonly month: number }) =>
    year === now.getUTCFullYear() && month === now.getUTCMonth() + 1;
  const total = types.reduce((sum, { count }) => sum + count, 0);
  return {
    total_tokens: total,
    token_report: {
      metrics_by_type: Object.fromEntries(
        types.map(({ type, count, lastCreatedAt }) => [
          type,
          { count, last_created_at: lastCreatedAt.toISOString() },
        ]),
      ),
      total_tokens: total,
      included_monthly_active_tokens: unlimited,
      monthly_active_tokens: months.find(isCurrent)?.activeTokens ?? 0,
      monthly_active_token_history: months
        .filter((month) => !isCurrent(month))
        .map(({ year, month, activeTokens }) => ({ year, month, count: activeTokens })),
    },
  };
}
