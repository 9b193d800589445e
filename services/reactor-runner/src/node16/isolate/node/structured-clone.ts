import type { Scope } from '../scope.ts';

type Checks = Record<string, (value: unknown) => boolean>;

export interface CloneOptions {
  /** What is handed over in place of being copied, each with what stands for it afterwards. */
  readonly moved?: ReadonlyMap<object, object>;
  /** Throws for an object that must not be copied. */
  readonly check?: (one: object) => void;
}

/** Copies a value as messages are copied. @throws DOMException DataCloneError */
export type StructuredClone = (value: unknown, options?: CloneOptions) => unknown;

/** StructuredSerialize and StructuredDeserialize of the HTML standard (section 2.7), with the messages of V8. */
export function makeStructuredClone(load: Scope['load']): StructuredClone {
  const refuse = (what: string): never => {
    const { DOMException } = load('internal/per_context/domexception') as {
      DOMException: new (message: string, name: string) => Error;
    };
    throw new DOMException(`${what} could not be cloned.`, 'DataCloneError');
  };

  return (value, { moved, check } = {}) => {
    const is = load('internal/util/types') as Checks;
    const copies = new Map<object, object>(moved);

    function copyOf(one: unknown): unknown {
      if (typeof one === 'symbol' || typeof one === 'function') return refuse(String(one));
      if (typeof one !== 'object' || one === null) return one;
      return copies.get(one) ?? copyObject(one);
    }

    function copyObject(one: object): object {
      check?.(one);
      const copy = emptyCopyOf(one, is, copyOf);
      if (copy === undefined)
        return refuse(`#<${(one.constructor as Function | undefined)?.name ?? 'Object'}>`);
      // It may hold itself.
      copies.set(one, copy);
      fill(one, copy);
      return copy;
    }

    function fill(from: object, to: object): void {
      if (is['isMap']?.(from)) {
        for (const [key, held] of Array.from(from as Map<unknown, unknown>))
          (to as Map<unknown, unknown>).set(copyOf(key), copyOf(held));
      } else if (is['isSet']?.(from)) {
        for (const held of Array.from(from as Set<unknown>)) (to as Set<unknown>).add(copyOf(held));
      } else if (Array.isArray(from) || isCopiedByProperties(from, is)) {
        for (const key of Object.keys(from)) {
          const held = copyOf((from as Record<string, unknown>)[key]);
          Object.defineProperty(to, key, {
            value: held,
            writable: true,
            enumerable: true,
            configurable: true,
          });
        }
      }
    }

    return copyOf(value);
  };
}

/** The copy without what an object of its kind holds; undefined when it cannot be copied. */
export function emptyCopyOf(one: object, is: Checks, copyOf: (one: unknown) => unknown): object | undefined {
  if (Array.isArray(one)) return Object.assign([], { length: one.length });
  if (is['isDate']?.(one)) return new Date(+(one as Date));
  if (is['isSymbolObject']?.(one)) return undefined;
  if (is['isBoxedPrimitive']?.(one)) return Object(one.valueOf()) as object;
  if (is['isRegExp']?.(one)) return new RegExp((one as RegExp).source, (one as RegExp).flags);
  if (is['isMap']?.(one)) return new Map();
  if (is['isSet']?.(one)) return new Set();
  if (is['isArrayBuffer']?.(one)) return (one as ArrayBuffer).slice(0);
  // On a copy of all of its memory, which other views may share.
  if (ArrayBuffer.isView(one)) return viewLike(one, copyOf(one.buffer) as ArrayBuffer);
  if (is['isNativeError']?.(one)) return copyError(one as Error);
  return isCopiedByProperties(one, is) ? {} : undefined;
}

export function viewLike(view: ArrayBufferView, buffer: ArrayBuffer): ArrayBufferView {
  const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
  const tag = Object.getOwnPropertyDescriptor(typedArray, Symbol.toStringTag)?.get as () =>
    | string
    | undefined;
  const name = Reflect.apply(tag, view, []);
  if (name === undefined) return new DataView(buffer, view.byteOffset, view.byteLength);
  const View = (globalThis as unknown as Record<string, Uint8ArrayConstructor>)[
    name
  ] as Uint8ArrayConstructor;
  return new View(buffer, view.byteOffset, (view as Uint8Array).length);
}

/** Its class, message and stack, as V8 does; other properties are left out. */
export function copyError(from: Error): Error {
  const names = ['EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'];
  const name = names.find((one) => one === from.name) ?? 'Error';
  const Kind = (globalThis as unknown as Record<string, ErrorConstructor>)[name] as ErrorConstructor;
  const message = Object.getOwnPropertyDescriptor(from, 'message')?.value as string | undefined;
  const copy = message === undefined ? new Kind() : new Kind(message);
  Object.defineProperty(copy, 'stack', {
    value: from.stack,
    writable: true,
    configurable: true,
    enumerable: false,
  });
  return copy;
}

/** Whether it is an ordinary object or an instance of a class in JavaScript, not one that the engine keeps something in. */
export function isCopiedByProperties(one: object, is: Checks): boolean {
  const values = [
    'isMap',
    'isSet',
    'isDate',
    'isRegExp',
    'isBoxedPrimitive',
    'isArrayBuffer',
    'isNativeError',
  ];
  const others = [
    'isPromise',
    'isWeakMap',
    'isWeakSet',
    'isGeneratorObject',
    'isMapIterator',
    'isSetIterator',
  ];
  const isOfEngine = [...values, ...others, 'isArgumentsObject'].some((kind) => is[kind]?.(one));
  return !isOfEngine && !ArrayBuffer.isView(one) && !(one instanceof WeakRef);
}
