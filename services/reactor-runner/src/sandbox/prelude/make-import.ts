/** Makes what stands for `import()` in a module of CommonJS: it resolves to all that `require` gives, and has `default`. */
export function makeImport(require: (name: unknown) => unknown): (specifier: unknown) => Promise<object> {
  const { defineProperty, ownKeys, getOwnPropertyDescriptor } = Reflect;
  const { seal } = Object;
  const spaces: Record<string, object | undefined> = Object.create(null);

  function spaceOf(exports: unknown): object {
    const space = Object.create(null) as object;
    const isObject = (typeof exports === 'object' && exports !== null) || typeof exports === 'function';
    const members = isObject ? (exports as Record<string, unknown>) : {};
    for (const name of ownKeys(members)) {
      const isNamed = typeof name === 'string' && name !== 'default';
      if (!isNamed || getOwnPropertyDescriptor(members, name)?.enumerable !== true) continue;
      defineProperty(space, name, { get: () => members[name], enumerable: true, configurable: true });
    }
    // What was written as an ECMAScript module, and bundled, has its own.
    const isModule = members['__esModule'] === true && 'default' in members;
    defineProperty(space, 'default', { value: isModule ? members['default'] : exports, enumerable: true });
    defineProperty(space, Symbol.toStringTag, { value: 'Module' });
    return seal(space);
  }

  return async (specifier) => {
    const name = `${specifier as number}`;
    try {
      return (spaces[name] ??= spaceOf(require(name)));
    } catch (error) {
      const { code } = error as { code?: unknown };
      throw code === 'MODULE_NOT_FOUND'
        ? Object.assign(error as object, { code: 'ERR_MODULE_NOT_FOUND' })
        : error;
    }
  };
}
