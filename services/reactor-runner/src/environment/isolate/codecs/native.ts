/** What newer engines add to Uint8Array; the worker asks for it with --js-base-64. */
export interface NativeCodecs {
  toBase64(options?: { alphabet?: 'base64' | 'base64url'; omitPadding?: boolean }): string;
  toHex(): string;
  setFromBase64(text: string): { read: number; written: number };
}

/** Hands the engine's own methods out before user code can replace them, and takes them from the prototype. */
export function takeNativeCodecs(): (bytes: Uint8Array) => NativeCodecs {
  const prototype = Uint8Array.prototype as unknown as NativeCodecs;
  // oxlint-disable-next-line typescript/unbound-method
  const { toBase64, toHex, setFromBase64 } = prototype;
  const { apply } = Reflect;
  return (bytes) => ({
    toBase64: (options) => apply(toBase64, bytes, [options]),
    toHex: () => apply(toHex, bytes, []),
    setFromBase64: (text) => apply(setFromBase64, bytes, [text]),
  });
}
