import { withPort } from '@glovebox/access/host-set';
import type { AccessRule, StoredRule } from '@glovebox/access/rules';
import type { AccessRule as PublishedRule } from '@glovebox/protos/published/v1/published';

/** A checked rule in the form that is published. */
export function publishedRule(rule: AccessRule): PublishedRule {
  const { priority, container = '', conditions = [], transform, permissions, destinations } = rule;
  return {
    priority,
    container,
    conditions: conditions.map(({ attribute, operator, value }) => ({ attribute, operator, value })),
    transform: destinations === undefined ? transform : '',
    permissions: [...permissions],
    ...(destinations && { destinations: { transform, patterns: destinations.map(withPort) } }),
  };
}

/** A published rule, which a newer version may have written. */
export function storedRule(rule: PublishedRule): StoredRule {
  const { priority, container, conditions, permissions, destinations } = rule;
  const scope = container === '' ? { conditions } : { container };
  const transform = destinations?.transform ?? rule.transform;
  return { priority, transform, permissions, destinations: destinations?.patterns, ...scope };
}
