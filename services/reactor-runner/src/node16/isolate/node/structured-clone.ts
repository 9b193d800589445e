import type { TypeChecks } from '../node-internals.ts';
import type { Scope } from '../scope.ts';

export interface CloneOptions {
  /** Objects that are transferred instead of copied, each with its replacement. */
  readonly moved?: ReadonlyMap<object, object>;
  /** Throws for an object that must not be copied. */
  readonly check?: (one: object) => void;
}

/** Copies a value as messages are copied. @throws DOMException DataCloneError */
export type StructuredClone = (value: unknown, options?: CloneOptions) => unknown;

/** StructuredSerialize and StructuredDeserialize of the HTML standard (section 2.7), with the messages of V8. */
export function makeStructuredClone(load: Scope['load']): StructuredClone {
  const refuse = (what: string): never => {
    const { DOMException } = load('internal/per_context/domexception');
    throw new DOMException(`${what} could not be cloned.`, 'DataCloneError');
  };

  return (value, { moved, check } = {}) => {
    const is = load('internal/util/types');
    const copies = new Map<object, object>(moved);

    function copyOf(one: unknown): unknown {
      if (typeof one === 'symbol' || typeof one === 'function') return refuse(String(one));
      if (typeof one !== 'object' || one === null) return one;
      return copies.get(one) ?? copyObject(one);
    }

    function copyObject(one: object): object {
      check?.(one);
      const copy = emptyCopyOf(one, is, copyOf);
      if (copy === undefined) {
        const { constructor }: { constructor?: Function } = one;
        return refuse(`#<${constructor?.name ?? 'Object'}>`);
      }
      // It may hold itself.
      copies.set(one, copy);
      fill(one, copy);
      return copy;
    }

    function fill(from: object, to: object): void {
      if (is.isMap(from) && is.isMap(to)) {
        for (const [key, held] of Array.from(from)) to.set(copyOf(key), copyOf(held));
      } else if (is.isSet(from) && is.isSet(to)) {
        for (const held of Array.from(from)) to.add(copyOf(held));
      } else if (Array.isArray(from) || isCopiedByProperties(from, is)) {
        const source: Record<string, unknown> = Object(from);
        for (const key of Object.keys(source)) {
          const held = copyOf(source[key]);
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
export function emptyCopyOf(
  one: object,
  is: TypeChecks,
  copyOf: (one: unknown) => unknown,
): object | undefined {
  if (Array.isArray(one)) return Object.assign([], { length: one.length });
  if (is.isDate(one)) return new Date(+one);
  if (is.isSymbolObject(one)) return undefined;
  if (is.isBoxedPrimitive(one)) return Object(one.valueOf());
  if (is.isRegExp(one)) return new RegExp(one.source, one.flags);
  if (is.isMap(one)) return new Map();
  if (is.isSet(one)) return new Set();
  if (is.isArrayBuffer(one)) return one.slice(0);
  // On a copy of all of its memory, which other views may share.
  if (ArrayBuffer.isView(one)) return viewLike(one, copyOf(one.buffer));
  if (is.isNativeError(one)) return copyError(one);
  return isCopiedByProperties(one, is) ? {} : undefined;
}

export function viewLike(view: ArrayBufferView, buffer: unknown): ArrayBufferView {
  const { apply, construct, get, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const tag = getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype)!, Symbol.toStringTag)!.get!;
  const name: string | undefined = apply(tag, view, []);
  if (name === undefined) return construct(DataView, [buffer, view.byteOffset, view.byteLength]);
  return construct(get(globalThis, name), [buffer, view.byteOffset, get(view, 'length')]);
}

/** Its class, message and stack, as V8 does; other properties are left out. */
export function copyError(from: Error): Error {
  const names = ['EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'];
  const name = names.find((one) => one === from.name) ?? 'Error';
  const Kind: ErrorConstructor = Reflect.get(globalThis, name);
  const message: string | undefined = Object.getOwnPropertyDescriptor(from, 'message')?.value;
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
export function isCopiedByProperties(one: object, is: TypeChecks): boolean {
  const values = [
    'isMap',
    'isSet',
    'isDate',
    'isRegExp',
    'isBoxedPrimitive',
    'isArrayBuffer',
    'isNativeError',
  ] as const;
  const others = [
    'isPromise',
    'isWeakMap',
    'isWeakSet',
    'isGeneratorObject',
    'isMapIterator',
    'isSetIterator',
  ] as const;
  const isOfEngine = is.isArgumentsObject(one) || [...values, ...others].some((kind) => is[kind](one));
  return !isOfEngine && !ArrayBuffer.isView(one) && !(one instanceof WeakRef);
}
