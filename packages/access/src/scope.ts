import { parseContainer, rootContainer } from './container.ts';

/** The token that a permission is wanted for. */
export interface Target {
  /** As `parseContainer` returns it. */
  readonly container: string;
  /** Absent when the id is not known yet; no condition on `id` holds then. */
  readonly tokenId?: string | undefined;
}

/** The tokens that a rule is about: those of a container, or those for which all conditions hold. */
export interface Scope {
  readonly container?: string | undefined;
  readonly conditions?: readonly ScopeCondition[] | undefined;
}

/** Attribute and operator are read in any case; ids compare exactly, containers as they are stored. */
export interface ScopeCondition {
  readonly attribute: string;
  readonly operator: string;
  readonly value: string;
}

/** A compiled scope, as data: a store can select by it what `within` tests. Undefined: not bounded in this way. */
export interface Bounds {
  readonly containerPrefix: string;
  readonly container: string | undefined;
  readonly idPrefix: string | undefined;
  readonly id: string | undefined;
}

export const everywhere: Bounds = {
  containerPrefix: '',
  container: undefined,
  idPrefix: undefined,
  id: undefined,
};

/** No container has an empty name. */
const nowhere: Bounds = { ...everywhere, container: '' };

/** Whether a target is within bounds. Allocates nothing. */
export function within({ containerPrefix, container, idPrefix, id }: Bounds, target: Target): boolean {
  if (container !== undefined && target.container !== container) return false;
  if (!target.container.startsWith(containerPrefix)) return false;
  if (id === undefined && idPrefix === undefined) return true;
  const { tokenId } = target;
  if (tokenId === undefined || (id !== undefined && tokenId !== id)) return false;
  return idPrefix === undefined || tokenId.startsWith(idPrefix);
}

/** Whether every target is within the bounds. */
export function isUnbounded({ containerPrefix, container, idPrefix, id }: Bounds): boolean {
  const named = container ?? idPrefix ?? id;
  return named === undefined && rootContainer.startsWith(containerPrefix);
}

/** Whether all targets within `inner`, of which there are some, are within `outer` too. */
export function encloses(outer: Bounds, inner: Bounds): boolean {
  const common = intersection(outer, inner);
  return common !== null && sameBounds(common, inner);
}

/** The intersection; `null` if it is empty. */
export function intersection(one: Bounds, other: Bounds): Bounds | null {
  const common = both(one, other);
  const { container, containerPrefix, id, idPrefix } = common;
  if (container !== undefined && (container === '' || !container.startsWith(containerPrefix))) return null;
  return id !== undefined && idPrefix !== undefined && !id.startsWith(idPrefix) ? null : common;
}

/** Compiles a scope; `null` if it names nothing, or in words that this version does not know. */
export function compileScope(scope: Scope): Bounds | null {
  const conditions = scope.conditions ?? [];
  if (scope.container === undefined) return compileConditions(conditions);
  if (conditions.length > 0) return null;
  // As each container ends with a slash, a prefix of characters is a prefix of whole segments.
  const containerPrefix = parseContainer(scope.container);
  return containerPrefix === null ? null : { ...everywhere, containerPrefix };
}

function compileConditions(conditions: readonly ScopeCondition[]): Bounds | null {
  if (conditions.length === 0) return null;
  let bounds = everywhere;
  for (const condition of conditions) {
    const next = compileCondition(condition);
    if (next === null) return null;
    bounds = both(bounds, next);
  }
  return bounds;
}

function compileCondition(condition: ScopeCondition): Bounds | null {
  const operator = condition.operator.toLowerCase();
  if (operator !== 'equals' && operator !== 'starts_with') return null;
  const exact = operator === 'equals';
  switch (condition.attribute.toLowerCase()) {
    case 'id':
      return { ...everywhere, [exact ? 'id' : 'idPrefix']: condition.value };
    case 'container':
      return { ...everywhere, [exact ? 'container' : 'containerPrefix']: condition.value.toLowerCase() };
    default:
      return null;
  }
}

/** No container is outside of the root. */
const rooted = (containerPrefix: string): string => containerPrefix || rootContainer;

function sameBounds(one: Bounds, other: Bounds): boolean {
  return (
    one.container === other.container &&
    one.id === other.id &&
    (one.container !== undefined || rooted(one.containerPrefix) === rooted(other.containerPrefix)) &&
    (one.id !== undefined || one.idPrefix === other.idPrefix)
  );
}

/** The intersection. */
function both(one: Bounds, other: Bounds): Bounds {
  const containerPrefix = longer(one.containerPrefix, other.containerPrefix);
  const container = same(one.container, other.container);
  const idPrefix = longer(one.idPrefix, other.idPrefix);
  const id = same(one.id, other.id);
  if (containerPrefix === null || container === null || idPrefix === null || id === null) return nowhere;
  return { containerPrefix: containerPrefix ?? '', container, idPrefix, id };
}

/** Of two prefixes of the same text one begins with the other; null if not. */
function longer(one: string | undefined, other: string | undefined): string | undefined | null {
  if (one === undefined || other === undefined) return one ?? other;
  if (one.startsWith(other)) return one;
  return other.startsWith(one) ? other : null;
}

function same(one: string | undefined, other: string | undefined): string | undefined | null {
  if (one === undefined || other === undefined) return one ?? other;
  return one === other ? one : null;
}
