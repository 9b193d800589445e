import { explainDecision } from '@glovebox/access/explain-decision';
import { type AccessRule, type Reach } from '@glovebox/access/rules';
import { egressReason, readTenantEgress } from '@glovebox/published/tenant-egress';

import { findApplication } from '../../applications/store.ts';
import { publishedHosts } from '../../destinations/published-hosts.ts';
import type { Call, Reply } from '../../http/call.ts';
import { type TenantRow, showEgressPolicy } from '../../tenants/fields.ts';
import { findTenant } from '../../tenants/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { readAccessQuestion } from './access-question.ts';
import { reachOfUse } from './reach-of-use.ts';

/** Says what the vault would decide, and by which rule. It looks at no token (contract/tenants.md#simulation-of-access). */
export async function simulateAccess(
  dependencies: Pick<Dependencies, 'postgres' | 'inputLimits' | 'egressPolicy'>,
  { principal: { tenantId }, id, query }: Call,
): Promise<Reply> {
  const { permission, target, towards } = readAccessQuestion(query, dependencies);
  const application = await findApplication(dependencies.postgres, tenantId, id);
  const tenant = await findTenant(dependencies.postgres, tenantId);
  const isUse = permission === 'token:use';
  const { reach, place } = await reachOfUse(dependencies, tenant, towards);
  const { decision, rules } = explainDecision(application, permission, target, reach);
  const egress = place === undefined ? undefined : egressOf(tenant, place);
  const isAllowed = decision.allowed && egress?.allowed !== false;
  const deciding = rules.find(({ rule }) => rule.priority === decision.rule);
  return {
    status: 200,
    body: {
      permission,
      container: target.container,
      token_id: target.tokenId,
      decision: isAllowed ? 'allowed' : 'denied',
      reason: decision.allowed ? (isAllowed ? undefined : egress?.reason) : decision.reason,
      transform: decision.allowed ? (decision.transform ?? undefined) : undefined,
      rule: deciding && showRule(deciding.rule),
      reach: isUse ? showReach(reach) : undefined,
      egress,
      rules: rules.map(({ rule: { priority, description }, outcome }) => ({
        priority,
        description,
        outcome,
      })),
    },
  };
}

const showRule = ({ priority, description }: AccessRule) => ({ priority, description });

const showReach = ({ anywhere, places }: Reach) => ({
  anywhere,
  destinations: [...new Set(places)].map((place) => place.replace(/:443$/, '')),
});

/** Whether the tenant's policy lets a request to that place pass. */
function egressOf(tenant: TenantRow, place: string) {
  const { mode, destinations, ephemeral } = showEgressPolicy(tenant);
  const policy = readTenantEgress({ mode, destinations: publishedHosts(destinations), ephemeral });
  const reason = policy && egressReason(policy, place);
  return { destination: place, mode, allowed: reason === undefined || policy?.isEnforced !== true, reason };
}
