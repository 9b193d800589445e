/** Calls an operation of the host; throws, as an error of this realm, what it failed with. */
export type CallHost = (operation: string, ...args: unknown[]) => unknown;

/** What the host answers: a value, or a failure as plain data. */
export interface HostAnswer {
  readonly v?: unknown;
  readonly e?: HostFailure;
}

export interface HostFailure {
  readonly name: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Makes the one way from this isolate to the host. Nothing but plain data passes. */
export function makeCallHost(bridge: (operation: string, ...args: unknown[]) => HostAnswer): CallHost {
  return (operation, ...args) => {
    const answer = bridge(operation, ...args);
    if (answer.e !== undefined) throw hostError(answer.e);
    return answer.v;
  };
}

/** The host's failure as an error of this realm. */
export function hostError({ name, message, fields }: HostFailure): Error {
  const ofName = { TypeError, RangeError, SyntaxError } as Record<string, new (message: string) => Error>;
  const error = new (ofName[name] ?? Error)(message);
  return Object.assign(error, fields);
}

/** The bytes of a view as a copy of exactly their size: what is cloned to the host is a view's whole buffer. */
export function exactBytes(view: ArrayBufferView | ArrayBuffer): Uint8Array {
  if (!ArrayBuffer.isView(view)) return new Uint8Array(view);
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  return view.byteLength === view.buffer.byteLength ? bytes : bytes.slice();
}
