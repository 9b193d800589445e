/** `internalBinding('types')`: what a value is, by asking the built-in's own methods, which know it. */
export function typesBinding(): Record<string, (value: unknown) => boolean> {
  const { apply, getOwnPropertyDescriptor } = Reflect;
  const { toString } = Object.prototype;

  const accepts =
    (method: Function | undefined, args: unknown[] = []) =>
    (value: unknown) => {
      try {
        apply(method!, value, args);
        return true;
      } catch {
        return false;
      }
    };
  const getter = (prototype: object, name: string) => accepts(getOwnPropertyDescriptor(prototype, name)?.get);
  const tagged = (tag: string) => (value: unknown) =>
    value !== null &&
    (typeof value === 'object' || typeof value === 'function') &&
    apply(toString, value, []) === `[object ${tag}]`;
  const boxed = (method: Function) => {
    const isOne = accepts(method);
    return (value: unknown) => typeof value === 'object' && isOne(value);
  };
  const isObject = (check: (value: unknown) => boolean) => (value: unknown) =>
    typeof value === 'object' && value !== null && check(value);
  const anyOf =
    (...checks: ((value: unknown) => boolean)[]) =>
    (value: unknown) =>
      checks.some((check) => check(value));

  const boxes = {
    isNumberObject: boxed(Number.prototype.valueOf),
    isStringObject: boxed(String.prototype.valueOf),
    isBooleanObject: boxed(Boolean.prototype.valueOf),
    isSymbolObject: boxed(Symbol.prototype.valueOf),
    isBigIntObject: boxed(BigInt.prototype.valueOf),
  };
  const isArrayBuffer = getter(ArrayBuffer.prototype, 'byteLength');
  const isError: (value: unknown) => boolean = Reflect.get(Error, 'isError');
  return {
    ...boxes,
    isBoxedPrimitive: anyOf(...Object.values(boxes)),
    isExternal: () => false,
    isDate: isObject(accepts(Date.prototype.getTime)),
    isArgumentsObject: (value) => tagged('Arguments')(value) && !(Symbol.toStringTag in Object(value)),
    isNativeError: (value) => isError(value),
    isRegExp: (value) => isObject(getter(RegExp.prototype, 'source'))(value) && value !== RegExp.prototype,
    isAsyncFunction: (value) =>
      typeof value === 'function' &&
      (tagged('AsyncFunction')(value) || tagged('AsyncGeneratorFunction')(value)),
    isGeneratorFunction: (value) =>
      typeof value === 'function' &&
      (tagged('GeneratorFunction')(value) || tagged('AsyncGeneratorFunction')(value)),
    isGeneratorObject: anyOf(tagged('Generator'), tagged('AsyncGenerator')),
    isPromise: (value) => value instanceof Promise && value !== Promise.prototype && tagged('Promise')(value),
    isMap: getter(Map.prototype, 'size'),
    isSet: getter(Set.prototype, 'size'),
    isMapIterator: tagged('Map Iterator'),
    isSetIterator: tagged('Set Iterator'),
    isWeakMap: accepts(WeakMap.prototype.has, [{}]),
    isWeakSet: accepts(WeakSet.prototype.has, [{}]),
    isArrayBuffer,
    isAnyArrayBuffer: isArrayBuffer,
    isSharedArrayBuffer: () => false,
    isDataView: getter(DataView.prototype, 'byteLength'),
    isProxy: () => false,
    isModuleNamespaceObject: () => false,
  };
}
