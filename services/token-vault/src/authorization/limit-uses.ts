import { AppError } from '@glovebox/platform/errors/app-error';

import { auditEntry } from '../audit/audit-entry.ts';
import type { IdentifiedCall } from '../calls/open-call.ts';
import type { VaultContext } from '../context/vault-context.ts';
import { originOf } from '../events/vault-events.ts';
import { type AuditEntry, recordDecisions } from '../store/audit-log.ts';
import type { ReachedLimit } from '../uses/use-counts.ts';

/** The tokens whose values a call is about to give out. */
export interface Uses {
  readonly identified: IdentifiedCall;
  /** Distinct. */
  readonly tokenIds: readonly string[];
}

export interface UseRefusal {
  readonly refusal: AppError;
  /** In the audit log. */
  readonly reason: 'use_limit' | 'use_limit_unknown';
}

/**
 * Takes the uses of several calls, with one script for each tenant, and none if no caller has limits. Without Redis they
 * are refused (contract/tenants.md#use-limits).
 * @returns for each call why it is refused; undefined: its uses are taken
 */
export async function limitUses(
  vault: VaultContext,
  calls: readonly Uses[],
): Promise<readonly (UseRefusal | undefined)[]> {
  const limited = calls.filter(({ identified, tokenIds }) => hasLimits(identified) && tokenIds.length > 0);
  if (limited.length === 0) return calls.map(() => undefined);
  const byTenant = Map.groupBy(limited, ({ identified }) => identified.caller.tenantId);
  const refusals = new Map<Uses, UseRefusal | undefined>();
  const taken = [...byTenant].map(async ([tenantId, ofTenant]) => {
    const outcomes = await take(vault, tenantId, ofTenant);
    for (const [index, uses] of ofTenant.entries()) refusals.set(uses, outcomes[index]);
  });
  await Promise.all(taken);
  return calls.map((uses) => refusals.get(uses));
}

/** Limits the uses of one call, and records a refusal. @throws AppError `use_limit`, `unavailable` */
export async function requireUses(
  vault: VaultContext,
  audited: IdentifiedCall & Pick<AuditEntry, 'operation' | 'purpose' | 'purposeId'>,
  tokenIds: readonly string[],
): Promise<void> {
  const [refused] = await limitUses(vault, [{ identified: audited, tokenIds }]);
  if (refused === undefined) return;
  const { refusal, reason } = refused;
  const entries = tokenIds.map((tokenId) => auditEntry(audited, { tokenId, reason }));
  await recordDecisions(vault.postgres.forTenant(audited.caller.tenantId), entries);
  throw refusal;
}

export function hasLimits({ caller }: Pick<IdentifiedCall, 'caller'>): boolean {
  return caller.useLimits !== undefined;
}

async function take(
  vault: VaultContext,
  tenantId: string,
  calls: readonly Uses[],
): Promise<readonly (UseRefusal | undefined)[]> {
  const wanted = calls.map(({ identified, tokenIds }) => ({
    limits: identified.caller.useLimits ?? [],
    tokenIds,
  }));
  let reached: readonly (ReachedLimit | undefined)[];
  try {
    reached = await vault.uses.take(tenantId, wanted);
  } catch (cause) {
    const refusal = new AppError(
      'unavailable',
      'The limits on the use of tokens cannot be checked right now.',
      { cause },
    );
    return calls.map(() => ({ refusal, reason: 'use_limit_unknown' }));
  }
  return calls.map((uses, index) => refuse(vault, uses, reached[index]));
}

function refuse(
  { events, metrics }: VaultContext,
  { identified }: Uses,
  reached: ReachedLimit | undefined,
): UseRefusal | undefined {
  if (reached === undefined) return undefined;
  const { applicationId, name: limit, maximum, isFirst } = reached;
  metrics.useLimits.add(limit);
  if (isFirst) {
    const data = { application: { id: applicationId }, limit, maximum };
    events.emit(originOf(identified), 'application.use_limit', () => [data]);
  }
  const what = limit === 'uses_per_hour' ? 'uses of tokens' : 'distinct tokens';
  const text = `The limit of ${maximum} ${what} per hour is reached.`;
  return { refusal: new AppError('use_limit', text), reason: 'use_limit' };
}
