import { explainDecision } from '@glovebox/access/explain-decision';
import { missingPermission } from '@glovebox/access/missing-permission';
import type { Permission } from '@glovebox/access/permission';
import type { Principal } from '@glovebox/access/principal';
import { type AccessRule, type Reach, holdsAnywhere } from '@glovebox/access/rules';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { EgressPolicy } from '@glovebox/protos/published/v1/published';
import { egressReason, readTenantEgress } from '@glovebox/published/tenant-egress';

import type { WholeApplication } from '../../applications/fields.ts';
import { findApplication } from '../../applications/store.ts';
import type { Call, Reply } from '../../http/call.ts';
import { showEgressPolicy } from '../../tenants/fields.ts';
import { publishedPolicy } from '../../tenants/published.ts';
import { findTenant } from '../../tenants/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { type AccessQuestion, readAccessQuestion } from './access-question.ts';
import { type UseReach, reachesOfUse } from './reach-of-use.ts';

/**
 * Says what the vault would decide, and by which rule. It looks at no token, and shows nothing of the tenant's other
 * configuration that the caller may not read (contract/tenants.md#simulation-of-access).
 * @throws AppError `not_found`, `permission_denied`
 */
export async function simulateAccess(
  dependencies: Pick<Dependencies, 'postgres' | 'inputLimits' | 'egressPolicy'>,
  { principal, id, query }: Call,
): Promise<Reply> {
  const { permission, target, towards } = readAccessQuestion(query, dependencies);
  requireReads(principal, towards);
  const { postgres: db } = dependencies;
  const { tenantId } = principal;
  const application = await findApplication(db, tenantId, id);
  const policy = await readablePolicy(db, principal);
  const [present, ...others] = await reachesOfUse({ db, tenantId, egressPolicy: policy }, towards);
  const decide = (way: UseReach) => decideWay(application, { permission, target }, way, policy);
  const ofPresent = decide(present);
  const ways = [ofPresent, ...others.map(decide)];
  // A request may get either version, so the answer is that of the stricter one.
  const { decision, rules, reach, version, egress, isAllowed } =
    ways.find((way) => !way.isAllowed) ?? ofPresent;
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
      reach: permission === 'token:use' ? showReach(reach) : undefined,
      version,
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

/** The answer shows where a proxy or reactor leads to. @throws AppError `permission_denied` */
function requireReads(principal: Principal, { proxyId, reactorId }: AccessQuestion['towards']): void {
  const ofReactor: Permission | undefined = reactorId === undefined ? undefined : 'reactor:read';
  const required = proxyId === undefined ? ofReactor : 'proxy:read';
  if (required === undefined || holdsAnywhere(principal.grants, required)) return;
  throw new AppError('permission_denied', missingPermission(required, principal));
}

/** The egress policy of the tenant; undefined for a caller that may not read it. */
async function readablePolicy(
  db: Dependencies['postgres'],
  { tenantId, grants }: Principal,
): Promise<EgressPolicy | undefined> {
  if (!holdsAnywhere(grants, 'tenant:read')) return undefined;
  return publishedPolicy(showEgressPolicy(await findTenant(db, tenantId)));
}

/** What the vault decides on one way of the values, and the gateway after it. */
function decideWay(
  application: WholeApplication,
  { permission, target }: Pick<AccessQuestion, 'permission' | 'target'>,
  way: UseReach,
  policy: EgressPolicy | undefined,
) {
  const { decision, rules } = explainDecision(application, permission, target, way.reach);
  const egress = way.place === undefined || policy === undefined ? undefined : egressOf(policy, way.place);
  const isAllowed = decision.allowed && egress?.allowed !== false;
  return { ...way, decision, rules, egress, isAllowed };
}

/** Whether a policy lets a request to that place pass. */
function egressOf(published: EgressPolicy, place: string) {
  const policy = readTenantEgress(published);
  const reason = policy && egressReason(policy, place);
  const allowed = reason === undefined || policy?.isEnforced !== true;
  return { destination: place, mode: published.mode, allowed, reason };
}
