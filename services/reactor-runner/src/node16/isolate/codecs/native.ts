/** What newer engines add to Uint8Array; the worker asks for it with --js-base-64. */
export interface NativeCodecs {
  readonly toBase64: (bytes: Uint8Array, options?: object) => string;
  readonly toHex: (bytes: Uint8Array) => string;
  /** Strict; throws when the text is not base64 as it should be. */
  readonly fromBase64: (text: string) => Uint8Array;
}

/**
 * Takes the engine's own methods before user code can replace them. V8 13.6 reads from the start of the buffer
 * whatever the view's offset is, so only views that begin there are handed to it.
 */
export function takeNativeCodecs(): NativeCodecs {
  const { apply, get } = Reflect;
  const [toBase64, toHex]: [Function, Function] = [
    get(Uint8Array.prototype, 'toBase64'),
    get(Uint8Array.prototype, 'toHex'),
  ];
  const fromBase64: Function = get(Uint8Array, 'fromBase64');
  const fromStart = (bytes: Uint8Array) => (bytes.byteOffset === 0 ? bytes : new Uint8Array(bytes));
  return {
    toBase64: (bytes, options) => apply(toBase64, fromStart(bytes), options === undefined ? [] : [options]),
    toHex: (bytes) => apply(toHex, fromStart(bytes), []),
    fromBase64: (text) => apply(fromBase64, Uint8Array, [text]),
  };
}
