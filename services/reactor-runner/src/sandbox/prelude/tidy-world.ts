/**
 * Takes from the globals what Node.js 16 does not have, what reaches beyond the isolate's limits, and V8's own
 * console.
 * @param parse in place of the engine's `JSON.parse` (make-parse.ts)
 */
export function tidyWorld(parse: typeof JSON.parse): void {
  const { construct, deleteProperty } = Reflect;
  const world: Record<string, unknown> = globalThis;
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'console']) delete world[name];
  deleteProperty(Intl, 'v8BreakIterator');

  // The memory of a resizable buffer counts against no limit, so the constructor takes no options.
  const fixedLength = new Proxy(ArrayBuffer, {
    construct: (target, [length], newTarget) => construct(target, [length], newTarget),
  });
  const hidden = { writable: true, configurable: true, enumerable: false };
  // oxlint-disable-next-line eslint/no-extend-native
  Object.defineProperty(ArrayBuffer.prototype, 'constructor', { ...hidden, value: fixedLength });
  Object.defineProperty(world, 'ArrayBuffer', { ...hidden, value: fixedLength });
  Object.defineProperty(JSON, 'parse', { ...hidden, value: parse });
  Object.defineProperty(world, 'global', { ...hidden, enumerable: true, value: world });
}
