import { covers, parseContainer, rootContainer } from './container.ts';

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

/** A compiled scope: whether it holds the target. */
export type ScopeTest = (target: Target) => boolean;

export const everywhere: ScopeTest = () => true;

/** Compiles a scope; `null` if it names nothing, or in words that this version does not know. */
export function compileScope(scope: Scope): ScopeTest | null {
  const conditions = scope.conditions ?? [];
  if (scope.container === undefined) return compileConditions(conditions);
  return conditions.length === 0 ? compileContainer(scope.container) : null;
}

function compileContainer(text: string): ScopeTest | null {
  const container = parseContainer(text);
  if (container === null || container === rootContainer) return container && everywhere;
  return (target) => covers(container, target.container);
}

function compileConditions(conditions: readonly ScopeCondition[]): ScopeTest | null {
  if (conditions.length === 0) return null;
  const tests: ScopeTest[] = [];
  for (const condition of conditions) {
    const test = compileCondition(condition);
    if (test === null) return null;
    tests.push(test);
  }
  return (target) => tests.every((test) => test(target));
}

function compileCondition(condition: ScopeCondition): ScopeTest | null {
  const operator = condition.operator.toLowerCase();
  if (operator !== 'equals' && operator !== 'starts_with') return null;
  const holds =
    operator === 'equals'
      ? (actual: string, wanted: string): boolean => actual === wanted
      : (actual: string, wanted: string): boolean => actual.startsWith(wanted);
  switch (condition.attribute.toLowerCase()) {
    case 'id':
      return ({ tokenId }) => tokenId !== undefined && holds(tokenId, condition.value);
    case 'container': {
      const wanted = condition.value.toLowerCase();
      return ({ container }) => holds(container, wanted);
    }
    default:
      return null;
  }
}
