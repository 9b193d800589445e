import type { Permission } from './permission.ts';
import {
  type Decision,
  type DenialReason,
  type Reach,
  type StoredRule,
  anyReach,
  compileGrants,
  decide,
} from './rules.ts';
import type { Target } from './scope.ts';

/**
 * What a rule has to do with a decision.
 *
 * - `decides`: it is the first that fits
 * - `comes_later`: it fits, and a rule before it decides
 * - `other_permission`, `other_tokens`, `other_destinations`: it does not list the permission, does not hold for the
 *   token, or does not cover everything that the value could reach
 */
export type RuleOutcome =
  | 'decides'
  | 'comes_later'
  | 'other_permission'
  | 'other_tokens'
  | 'other_destinations';

export interface ExplainedDecision<Rule extends StoredRule> {
  readonly decision: Decision;
  /** All of the application, by ascending priority. */
  readonly rules: readonly { readonly rule: Rule; readonly outcome: RuleOutcome }[];
}

/** A decision as the vault makes it, with what each rule has to do with it (contract/tenants.md#evaluation). */
export function explainDecision<Rule extends StoredRule>(
  { permissions, rules }: { readonly permissions: readonly string[]; readonly rules: readonly Rule[] },
  permission: Permission,
  target: Target,
  reach: Reach = anyReach,
): ExplainedDecision<Rule> {
  const decision = decide(compileGrants(permissions, rules), permission, target, reach);
  let isDecided = false;
  const outcomeOf = (rule: Rule): RuleOutcome => {
    const alone = decide(compileGrants([], [rule]), permission, target, reach);
    const misfit = alone.allowed ? undefined : misfits[alone.reason];
    if (misfit !== undefined) return misfit;
    if (isDecided) return 'comes_later';
    isDecided = true;
    return 'decides';
  };
  const inOrder = rules.toSorted((a, b) => a.priority - b.priority);
  return { decision, rules: inOrder.map((rule) => ({ rule, outcome: outcomeOf(rule) })) };
}

/** Why a rule by itself says nothing; without one it fits, also where it denies. */
const misfits: Readonly<Record<DenialReason, RuleOutcome | undefined>> = {
  not_held: 'other_permission',
  outside_scope: 'other_tokens',
  destination_not_bound: 'other_destinations',
  use_without_reveal: undefined,
  unreadable_rule: undefined,
};
