import { findExcess } from '@glovebox/access/find-excess';
import type { Principal } from '@glovebox/access/principal';
import type { Problems } from '@glovebox/access/problems';
import type { AccessRule } from '@glovebox/access/rules';

import type { VaultContext } from '../../context/vault-context.ts';
import type { Authorization } from '../../sessions/read-authorization.ts';
import { isExpired } from '../../store/token-row.ts';
import { selectHeads } from '../../store/token-rows.ts';
import { requireAuthentic } from '../../tokens/authentic-rows.ts';

/**
 * Finds where a grant exceeds what its application holds. A rule for the id of one token is allowed if the
 * application holds that token's container. Such a rule is narrowed to that container, because the token may move.
 */
export async function narrowGrant(
  vault: VaultContext,
  { tenantId, grants }: Principal,
  wanted: Authorization,
): Promise<{ readonly wanted: Authorization; readonly excess: Problems }> {
  const excess = findExcess(wanted, grants);
  const inExcess = wanted.rules.filter((_, index) => Object.hasOwn(excess, `rules[${index}].permissions`));
  const ids = new Set(inExcess.flatMap((rule) => idOf(rule) ?? []));
  if (ids.size === 0) return { wanted, excess };
  const heads = await selectHeads(
    vault.postgres.forTenant(tenantId),
    [...ids].map((id) => ({ tenantId, id })),
  );
  await requireAuthentic(vault.keyring, heads);
  const now = Date.now();
  const containers = new Map(
    heads.filter((head) => !isExpired(head, now)).map(({ id, container }) => [id, container]),
  );
  const rules = wanted.rules.map((rule) => (inExcess.includes(rule) ? narrowed(rule, containers) : rule));
  const narrow = { ...wanted, rules };
  return { wanted: narrow, excess: findExcess(narrow, grants) };
}

function idOf({ conditions = [] }: AccessRule): string | undefined {
  return conditions.find(({ attribute, operator }) => attribute === 'id' && operator === 'equals')?.value;
}

function narrowed(rule: AccessRule, containers: ReadonlyMap<string, string>): AccessRule {
  const value = containers.get(idOf(rule) ?? '');
  if (value === undefined) return rule;
  const here = { attribute: 'container', operator: 'equals', value } as const;
  return { ...rule, conditions: [...(rule.conditions ?? []), here] };
}
