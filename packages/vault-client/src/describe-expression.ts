import type { DryExpression } from '@glovebox/protos/vault/v1/vault';

/** What a dry run answers of one expression (contract/dry-runs.md#answer). */
export function describeExpression(
  { expression, place }: { readonly expression: string; readonly place: string },
  decided: DryExpression | undefined,
): object {
  if (decided === undefined) return { expression, place };
  const { tokenId, container, rule, allowed, reason, standIn } = decided;
  return {
    expression,
    place,
    ...(tokenId === '' ? {} : { token_id: tokenId }),
    ...(container === '' ? {} : { container }),
    ...(rule === undefined ? {} : { rule: { priority: rule } }),
    decision: allowed ? 'allowed' : 'denied',
    ...(reason === '' ? {} : { reason }),
    ...(standIn === undefined ? {} : { stand_in: JSON.parse(standIn) as unknown }),
  };
}
