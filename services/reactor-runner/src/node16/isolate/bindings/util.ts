/** `internalBinding('util')`. What only the engine knows, of promises, proxies and iterators, is not to be had. */
export function utilBinding(): object {
  const hidden = new WeakMap<object, Map<unknown, unknown>>();
  const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const isIndex = (key: string | symbol) =>
    typeof key === 'string' && /^(0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;

  return {
    kPending: 0,
    kFulfilled: 1,
    kRejected: 2,
    kProxyTarget: 0,
    kProxyHandler: 1,
    constants: { kPending: 0, kFulfilled: 1, kRejected: 2 },
    propertyFilter: {
      ALL_PROPERTIES: 0,
      ONLY_WRITABLE: 1,
      ONLY_ENUMERABLE: 2,
      ONLY_CONFIGURABLE: 4,
      SKIP_STRINGS: 8,
      SKIP_SYMBOLS: 16,
    },
    arrow_message_private_symbol: 1,
    decorated_private_symbol: 2,
    untransferable_object_private_symbol: 3,
    exiting_aliased_Uint32Array: 4,
    shouldAbortOnUncaughtToggle: [0],
    getHiddenValue: (object: object, key: unknown) => hidden.get(object)?.get(key),
    setHiddenValue(object: object, key: unknown, value: unknown) {
      const values = hidden.get(object) ?? new Map<unknown, unknown>();
      hidden.set(object, values.set(key, value));
      return true;
    },
    getPromiseDetails: () => [0, undefined],
    getProxyDetails: () => undefined,
    getCallerLocation: () => undefined,
    getConstructorName(object: object) {
      for (let at: object | null = object; at !== null; at = getPrototypeOf(at)) {
        const value: unknown = getOwnPropertyDescriptor(at, 'constructor')?.value;
        if (typeof value === 'function' && value.name !== '') return value.name;
      }
      return '';
    },
    getExternalValue: () => 0n,
    getOwnNonIndexProperties: (object: object, filter: number) =>
      ownKeys(object).filter(
        (key) =>
          !isIndex(key) && (filter === 0 || getOwnPropertyDescriptor(object, key)?.enumerable === true),
      ),
    previewEntries: (_object: object, both?: boolean) => (both === true ? [[], false] : []),
    sleep() {},
    toUSVString: (text: unknown) => String(text).toWellFormed(),
    isConstructor(value: unknown) {
      try {
        Reflect.construct(Object, [], value as Function);
        return true;
      } catch {
        return false;
      }
    },
    isInsideNodeModules: () => false,
    guessHandleType: () => 'UNKNOWN',
    parseEnv: () => ({}),
    WeakReference: class WeakReference {
      readonly #target: object;
      constructor(target: object) {
        this.#target = target;
      }
      get() {
        return this.#target;
      }
      incRef() {}
      decRef() {}
    },
  };
}
