import { type HostSet, compileHosts, covers } from './host-set.ts';
import { isPermission, isTokenPermission } from './permission.ts';
import type { Permission, TokenPermission } from './permission.ts';
import { compileScope, everywhere, isUnbounded, within } from './scope.ts';
import type { Bounds, Scope, Target } from './scope.ts';

/** How a token's `data` is shown: not at all, as its mask, in plain (contract/tenants.md#access-rules). */
export type Transform = 'redact' | 'mask' | 'reveal';

/** A test of one attribute of a token. The conditions of a rule must all hold. */
export interface Condition {
  readonly attribute: 'id' | 'container';
  readonly operator: 'equals' | 'starts_with';
  readonly value: string;
}

/** A checked access rule (contract/tenants.md#access-rules). It has either a `container` or `conditions`. */
export interface AccessRule {
  readonly description?: string;
  /** From 1; unique per application; the lowest number wins. */
  readonly priority: number;
  /** As `parseContainer` returns it; the rule holds for this container and everything below. */
  readonly container?: string;
  readonly conditions?: readonly Condition[];
  readonly transform: Transform;
  readonly permissions: readonly TokenPermission[];
  /** Where the values of token:use may go, as `parseHostPattern` returns them; absent: anywhere. */
  readonly destinations?: readonly string[];
}

/**
 * A rule as a stored or published record spells it: perhaps by a newer version than ours, so any
 * word may be unknown. Every `AccessRule` is one.
 */
export interface StoredRule extends Scope {
  readonly priority: number;
  readonly transform: string;
  readonly permissions: readonly string[];
  readonly destinations?: readonly string[] | undefined;
}

/** Everywhere that a value can get to (contract/destinations.md#what-a-use-reaches). */
export interface Reach {
  /** It may get to any host. */
  readonly anywhere: boolean;
  /** Each as `withPort` or `placeOf` returns it; none: it stays inside. */
  readonly places: readonly string[];
}

/** What is given to the caller may get anywhere. */
export const anyReach: Reach = { anywhere: true, places: [] };

/**
 * - `not_held`: nothing grants the permission anywhere
 * - `outside_scope`: it is granted, but not for this token
 * - `use_without_reveal`: the rule that decides grants `token:use` but would not show plaintext,
 *   and use always is use of plaintext (contract/tenants.md#use-needs-reveal)
 * - `unreadable_rule`: the rule that decides is written in words unknown to this version
 * - `destination_not_bound`: the rules that would decide have destinations, and none covers all that the value reaches
 */
export type DenialReason =
  | 'not_held'
  | 'outside_scope'
  | 'use_without_reveal'
  | 'unreadable_rule'
  | 'destination_not_bound';

/** `transform` is `null` for a permission that shows no data, such as `token:delete`. */
export type Decision = (
  | { readonly allowed: true; readonly transform: Transform | null }
  | { readonly allowed: false; readonly reason: DenialReason }
) & {
  /** The priority of the rule that decides, or the first that was passed over; `null`: a plain permission, or none. */
  readonly rule: number | null;
};

/** The grants of an application, prepared for `decide`. Immutable; created by `compileGrants`. */
export interface Grants {
  /** In the order in which they decide. */
  readonly byPermission: ReadonlyMap<Permission, readonly Grant[]>;
}

/** The effect of one rule or plain permission on the targets within its bounds. */
export interface Grant {
  readonly bounds: Bounds;
  readonly decision: Decision;
  /** It decides only on uses that reach nothing else; absent: on all. */
  readonly hosts?: HostSet;
}

/**
 * Prepares an application's plain permissions and its rules for `decide`. Rules come first, by
 * ascending priority; plain permissions follow as grants on `/` with a fixed transform
 * (contract/tenants.md#plain-permissions). An unknown permission grants nothing. A rule that cannot be read denies
 * what it lists instead of being passed over: what it withholds must not fall to a more generous rule.
 */
export function compileGrants(permissions: readonly string[], rules: readonly StoredRule[]): Grants {
  const byPermission = new Map<Permission, Grant[]>();
  const add = (permission: Permission, grant: Grant): void => {
    const grants = byPermission.get(permission);
    if (grants === undefined) byPermission.set(permission, [grant]);
    else grants.push(grant);
  };
  for (const rule of rules.toSorted((a, b) => a.priority - b.priority)) {
    const bounds = compileScope(rule);
    const hosts = rule.destinations && compileHosts(rule.destinations);
    for (const permission of new Set(rule.permissions.filter(isTokenPermission))) {
      const decision = bounds && decisionOf(permission, shownBy(rule, permission), rule.priority);
      add(permission, {
        bounds: bounds ?? everywhere,
        decision: decision ?? denial('unreadable_rule', rule.priority),
        ...(hosts !== undefined && permission === 'token:use' ? { hosts } : {}),
      });
    }
  }
  for (const permission of new Set(permissions.filter(isPermission))) {
    const transform = permission === 'token:use' ? 'reveal' : 'mask';
    add(permission, { bounds: everywhere, decision: decisionOf(permission, transform, null) });
  }
  return { byPermission };
}

/** The caller is no destination, so a rule that has some shows it nothing in plain. */
function shownBy({ transform, destinations }: StoredRule, permission: Permission): string {
  const withheld = destinations !== undefined && permission !== 'token:use' && transform === 'reveal';
  return withheld ? 'mask' : transform;
}

/**
 * Whether the grants allow `permission` on the target, and how its data is to be shown. The first
 * grant decides that lists the permission, whose scope holds the target and whose destinations cover the reach;
 * without one the answer is no.
 */
export function decide(
  grants: Grants,
  permission: Permission,
  target: Target,
  reach: Reach = anyReach,
): Decision {
  const candidates = grants.byPermission.get(permission);
  if (candidates === undefined) return notHeld;
  let passedOver: Decision | undefined;
  for (const { bounds, hosts, decision } of candidates) {
    if (!within(bounds, target)) continue;
    if (hosts === undefined || coversReach(hosts, reach)) return decision;
    passedOver ??= decision;
  }
  return passedOver === undefined ? outsideScope : denial('destination_not_bound', passedOver.rule);
}

function coversReach(hosts: HostSet, { anywhere, places }: Reach): boolean {
  if (anywhere) return false;
  for (const place of places) if (!covers(hosts, place)) return false;
  return true;
}

/**
 * Whether the permission is granted on any target at all: what an operation asks that names no
 * token, such as a management operation. `token:use` counts only where a rule reveals.
 */
export function holdsAnywhere(grants: Grants, permission: Permission): boolean {
  return grants.byPermission.get(permission)?.some(({ decision }) => decision.allowed) ?? false;
}

/** Whether a value of no token, such as a reactor's configuration, may be used where it reaches so far. */
export function mayUseTowards(grants: Grants, reach: Reach): boolean {
  return grantsFor(grants, 'token:use').some(
    ({ decision, hosts }) => decision.allowed && (hosts === undefined || coversReach(hosts, reach)),
  );
}

/**
 * Whether a rule grants `token:use`, in whatever view, or it is held: what the invocation of a proxy or a reactor asks
 * (contract/proxies.md#authentication-of-invocations). Only what is detokenized needs a view that reveals.
 */
export function mayInvoke(grants: Grants): boolean {
  return grantsFor(grants, 'token:use').some((grant) => grant.decision.allowed || invokesOnly(grant));
}

/** Whether it lets proxies and reactors be invoked, and no token be used. */
export function invokesOnly({ decision }: Grant): boolean {
  return !decision.allowed && decision.reason === 'use_without_reveal';
}

/** Whether the permission is granted on every target there could be, and shows the plaintext of each. */
export function revealsEverything(grants: Grants, permission: Permission): boolean {
  for (const { bounds, decision, hosts } of grantsFor(grants, permission)) {
    if (hosts !== undefined) continue;
    if (!decision.allowed || decision.transform !== 'reveal') return false;
    if (isUnbounded(bounds)) return true;
  }
  return false;
}

/**
 * What decides on a permission, for a store that selects the targets on which it is allowed: the
 * first grant whose bounds hold the target decides; without one the answer is no.
 */
export function grantsFor(grants: Grants, permission: Permission): readonly Grant[] {
  return grants.byPermission.get(permission) ?? [];
}

/** Whether `text` spells a transform, exactly. */
export function isTransform(text: string): text is Transform {
  return transforms.has(text);
}

const transforms: ReadonlySet<string> = new Set<Transform>(['redact', 'mask', 'reveal']);
const notHeld = denial('not_held', null);
const outsideScope = denial('outside_scope', null);

function denial(reason: DenialReason, rule: number | null): Decision {
  return { allowed: false, reason, rule };
}

function decisionOf(permission: Permission, transform: Transform, rule: number | null): Decision;
function decisionOf(permission: Permission, transform: string, rule: number | null): Decision | null;
function decisionOf(permission: Permission, transform: string, rule: number | null): Decision | null {
  if (!isTransform(transform)) return null;
  const showsNothing = permission === 'token:delete' || !isTokenPermission(permission);
  if (showsNothing) return { allowed: true, transform: null, rule };
  if (permission === 'token:use' && transform !== 'reveal') return denial('use_without_reveal', rule);
  return { allowed: true, transform, rule };
}
