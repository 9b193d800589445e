import { type HostSet, commonHosts, covers } from './host-set.ts';
import type { Permission } from './permission.ts';
import { addProblem } from './problems.ts';
import type { Problems } from './problems.ts';
import { compileGrants, grantsFor, invokesOnly, mayInvoke } from './rules.ts';
import type { AccessRule, Decision, Grant, Grants, Transform } from './rules.ts';
import { encloses, everywhere, intersection } from './scope.ts';

/** The grants of a new session, as a request asks for them. */
export interface Wanted {
  readonly permissions: readonly Permission[];
  readonly rules: readonly AccessRule[];
}

/**
 * Where `wanted` is more than `held`: a token on which it would grant a permission that is not held there, or show more
 * of it (contract/tenants.md#sessions). Rules count as they decide, so that a part of a container which an earlier
 * rule of either side takes out is not held against the rest. In doubt there is an excess: several earlier rules are
 * not taken together.
 *
 * @returns a message for each permission that is too much, under its path in the request; none: nothing is
 */
export function findExcess(wanted: Wanted, held: Grants): Problems {
  const problems: Problems = {};
  const grants = compileGrants(wanted.permissions, wanted.rules);
  for (const permission of grants.byPermission.keys()) {
    const own = grantsFor(grants, permission);
    const theirs = [...grantsFor(held, permission), nothing];
    const paths = pathsOf(wanted, permission);
    own.forEach((grant, index) => {
      const earlier = own.slice(0, index);
      const exceeds = invokesOnly(grant)
        ? !mayInvoke(held)
        : theirs.some(
            (other, at) =>
              isMore(grant, other) && isReached(grant, other, [...earlier, ...theirs.slice(0, at)]),
          );
      if (exceeds)
        addProblem(problems, paths[index]!, `${permission} is more than the application itself holds`);
    });
  }
  return problems;
}

const nothing: Grant = {
  bounds: everywhere,
  decision: { allowed: false, reason: 'outside_scope', rule: null },
};

const shown: Readonly<Record<Transform, number>> = { redact: 0, mask: 1, reveal: 2 };

function isMore({ decision: wanted }: Grant, { decision: held }: Grant): boolean {
  if (!wanted.allowed) return false;
  return !held.allowed || rankOf(wanted) > rankOf(held);
}

function rankOf({ transform }: Extract<Decision, { allowed: true }>): number {
  return transform === null ? 0 : shown[transform];
}

/**
 * Whether both decide on some use of a token: one that is within both, and within nothing that decides before. There
 * always is a use that both destinations cover, such as one that stays inside.
 */
function isReached(one: Grant, other: Grant, earlier: readonly Grant[]): boolean {
  const common = intersection(one.bounds, other.bounds);
  if (common === null) return false;
  const hosts = one.hosts && other.hosts ? commonHosts(one.hosts, other.hosts) : (one.hosts ?? other.hosts);
  return !earlier.some((grant) => encloses(grant.bounds, common) && holdsAll(grant.hosts, hosts));
}

/** @param outer undefined: any host. @param inner likewise */
function holdsAll(outer: HostSet | undefined, inner: HostSet | undefined): boolean {
  if (outer === undefined) return true;
  return inner?.places.every((place) => covers(outer, place)) ?? false;
}

/** In the order of compileGrants: rules by priority, then the plain permission. */
function pathsOf({ rules }: Wanted, permission: Permission): readonly string[] {
  const byRule = rules
    .map(({ priority, permissions }, index) => ({
      priority,
      permissions,
      path: `rules[${index}].permissions`,
    }))
    .filter(({ permissions }) => permissions.some((listed) => listed === permission))
    .toSorted((a, b) => a.priority - b.priority);
  return [...byRule.map(({ path }) => path), 'permissions'];
}
