/** Makes the `import()` of a CommonJS module: it resolves to what `require` returns, with `default`. */
export function makeImport(require: (name: unknown) => unknown): (specifier: unknown) => Promise<object> {
  const { defineProperty, ownKeys, getOwnPropertyDescriptor } = Reflect;
  const { seal } = Object;
  const spaces: Record<string, object | undefined> = Object.create(null);

  const isObject = (value: unknown): value is Record<string, unknown> =>
    (typeof value === 'object' && value !== null) || typeof value === 'function';

  function spaceOf(exports: unknown): object {
    const space: object = Object.create(null);
    const members = isObject(exports) ? exports : {};
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
      if (isObject(error) && error['code'] === 'MODULE_NOT_FOUND') error['code'] = 'ERR_MODULE_NOT_FOUND';
      throw error;
    }
  };
}
