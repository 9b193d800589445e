/** A property descriptor, whatever kind it is of. */
interface Found {
  readonly value?: unknown;
  readonly get?: Function | undefined;
  readonly set?: unknown;
  readonly writable?: boolean;
  readonly enumerable?: boolean;
  readonly configurable?: boolean;
}

/**
 * Makes the function that notes what the globals and these modules hold, as far as it can be had without calling
 * anything; the function that it returns says whether all of it is still the same.
 */
export function makeWatchWorld(): (modules: readonly unknown[]) => () => boolean {
  const { apply, ownKeys, getOwnPropertyDescriptor, getPrototypeOf, isExtensible } = Reflect;
  const { is } = Object;
  const world: Record<PropertyKey, unknown> = globalThis;
  /** From a module to its class, to the prototype, and to what lies there. */
  const depth = 3;

  const isObject = (value: unknown): value is object =>
    (typeof value === 'object' && value !== null) || typeof value === 'function';
  const isSame = (state: readonly unknown[], before: readonly unknown[]) =>
    state.length === before.length && state.every((part, at) => is(part, before[at]));
  const find = (object: object, key: PropertyKey) => getOwnPropertyDescriptor(object, key)!;
  const partsOf = ({ value, get, set, writable, enumerable, configurable }: Found): unknown[] => [
    value,
    get,
    set,
    writable,
    enumerable,
    configurable,
  ];

  function stateOf(object: object): unknown[] {
    const state: unknown[] = [getPrototypeOf(object), isExtensible(object)];
    for (const key of ownKeys(object)) state.push(key, ...partsOf(find(object, key)));
    return state;
  }

  function statesWithin(roots: readonly unknown[]): Map<object, unknown[]> {
    const states = new Map<object, unknown[]>();
    let level = roots;
    for (let at = 0; at < depth; at += 1) {
      const next: unknown[] = [];
      for (const value of level) {
        if (!isObject(value) || value === world || states.has(value)) continue;
        const state = stateOf(value);
        states.set(value, state);
        next.push(...state.filter(isObject));
      }
      level = next;
    }
    return states;
  }

  const globals = () => new Map(ownKeys(world).map((key) => [key, find(world, key)]));
  // These two are accessors, and there already; others are made when they are first used (lazy-environment.ts).
  const accessed = () => [world['Buffer'], world['process']];

  function isSameGlobal(now: Found, before: Found | undefined): boolean {
    if (before?.get === undefined || now.get !== undefined)
      return isSame(partsOf(now), partsOf(before ?? {}));
    return now.enumerable === before.enumerable && is(now.value, apply(before.get, world, []));
  }

  return (modules) => {
    const [before, values] = [globals(), accessed()];
    const states = statesWithin([...values, ...modules, ...[...before.values()].map(({ value }) => value)]);
    return () => {
      const now = [...globals()];
      return (
        isSame(accessed(), values) &&
        now.length === before.size &&
        now.every(([key, found]) => isSameGlobal(found, before.get(key))) &&
        [...states].every(([object, state]) => isSame(stateOf(object), state))
      );
    };
  };
}
