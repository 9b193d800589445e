import type { LazyEnvironment } from '../../environment/isolate/lazy-environment.ts';

/**
 * Makes the function that does ahead of time what does not depend on the module. It returns false when a package has
 * changed the language's own objects or the names of globals: a module that does not require it would notice.
 */
export function makePrepare(environment: LazyEnvironment): (packages: readonly string[]) => boolean {
  const { ownKeys, getOwnPropertyDescriptor } = Reflect;
  const { is } = Object;
  const world = globalThis as Record<PropertyKey, unknown>;

  function languageObjects(): object[] {
    const objects: object[] = [];
    for (const name of ownKeys(world)) {
      const { value } = getOwnPropertyDescriptor(world, name) as { value?: unknown };
      const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
      if (!isObject || value === world) continue;
      objects.push(value as object);
      const { prototype } = value as { prototype?: unknown };
      if (typeof prototype === 'object' && prototype !== null) objects.push(prototype);
    }
    return objects;
  }

  function membersOf(objects: readonly object[]): unknown[] {
    const members: unknown[] = [...ownKeys(world)];
    for (const object of objects) {
      for (const key of ownKeys(object)) {
        const found = getOwnPropertyDescriptor(object, key) as Readonly<Record<string, unknown>>;
        members.push(key, found['value'], found['get'], found['set']);
      }
    }
    return members;
  }

  return (packages) => {
    environment.prepare([]);
    if (packages.length === 0) return true;
    const objects = languageObjects();
    const before = membersOf(objects);
    environment.prepare(packages);
    const after = membersOf(objects);
    return after.length === before.length && after.every((member, at) => is(member, before[at]));
  };
}
