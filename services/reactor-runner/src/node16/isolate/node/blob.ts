import type { Scope } from '../scope.ts';

interface BlobOptions {
  readonly type?: unknown;
  readonly endings?: string;
}

type Errors = Record<string, new (...args: unknown[]) => Error>;

/** `internal/blob` of Node's library, whose blobs are kept outside of V8's heap: here they are bytes of the isolate. */
export function blobModule(load: Scope['load']): object {
  const held = new WeakMap<object, Uint8Array>();
  const buffers = () => (load('buffer') as { Buffer: typeof Buffer }).Buffer;
  const invalid = (...args: unknown[]): Error => {
    const { ERR_INVALID_ARG_TYPE } = load('internal/errors')['codes'] as Errors;
    return new (ERR_INVALID_ARG_TYPE as Errors[string])(...args);
  };
  const bytesOf = (blob: object): Uint8Array => {
    const bytes = held.get(blob);
    if (bytes === undefined) throw invalid('this', 'Blob', blob);
    return bytes;
  };
  const partOf = (source: unknown, endings: string): Uint8Array => {
    if (ArrayBuffer.isView(source))
      return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    if (source instanceof ArrayBuffer) return new Uint8Array(source);
    const bytes = held.get(source as object);
    if (bytes !== undefined) return bytes;
    const text = String(source);
    return buffers().from(endings === 'native' ? text.replace(/\r\n?|\n/g, '\n') : text);
  };
  const typeFrom = (type: unknown) => {
    const text = String(type);
    return /[^ -~]/.test(text) ? '' : text.toLowerCase();
  };

  class Blob {
    readonly #type: string;

    constructor(sources: unknown = [], options: BlobOptions = {}) {
      const isList = typeof sources === 'object' && sources !== null && Symbol.iterator in sources;
      if (!isList) throw invalid('sources', 'a sequence', sources);
      if (options === null || typeof options !== 'object') throw invalid('options', 'Object', options);
      const { endings = 'transparent' } = options;
      const parts = [...(sources as Iterable<unknown>)].map((source) => partOf(source, endings));
      held.set(this, Uint8Array.from(buffers().concat(parts)));
      this.#type = typeFrom(options.type ?? '');
    }

    get size(): number {
      return bytesOf(this).length;
    }

    get type(): string {
      return this.#type;
    }

    slice(start?: number, end?: number, type: unknown = ''): Blob {
      return new Blob([bytesOf(this).subarray(start ?? 0, end)], { type });
    }

    async arrayBuffer(): Promise<ArrayBufferLike> {
      return bytesOf(this).slice().buffer;
    }

    async text(): Promise<string> {
      return buffers().from(bytesOf(this)).toString();
    }

    get [Symbol.toStringTag](): string {
      return 'Blob';
    }

    [Symbol.for('nodejs.util.inspect.custom')](depth: number, options: object): unknown {
      if (depth < 0) return this;
      const { inspect } = load('internal/util/inspect') as {
        inspect: (value: object, options: object) => string;
      };
      return `Blob ${inspect({ size: this.size, type: this.type }, options)}`;
    }
  }

  const isBlob = (value: unknown) => value instanceof Blob;
  return { Blob, isBlob, resolveObjectURL: () => undefined, createObjectURL: () => undefined };
}
