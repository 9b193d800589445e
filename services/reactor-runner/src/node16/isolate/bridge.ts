import type { HostResults } from './host-results.ts';

/** Calls an operation of the host; throws, as an error of this realm, what it failed with. */
export interface CallHost {
  <Name extends keyof HostResults>(operation: Name, ...args: unknown[]): HostResults[Name];
  (operation: string, ...args: unknown[]): unknown;
}

/** The one function of the host, which never throws by itself. */
export interface Bridge {
  <Name extends keyof HostResults>(operation: Name, ...args: unknown[]): HostAnswer<HostResults[Name]>;
  (operation: string, ...args: unknown[]): HostAnswer;
}

/** What the host answers: a value, or a failure as plain data. */
export interface HostAnswer<Value = unknown> {
  readonly v?: Value;
  readonly e?: HostFailure;
}

export interface HostFailure {
  readonly name: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Makes the one way from this isolate to the host. Nothing but plain data passes. */
export function makeCallHost(bridge: Bridge): CallHost {
  function call<Name extends keyof HostResults>(operation: Name, ...args: unknown[]): HostResults[Name];
  function call(operation: string, ...args: unknown[]): unknown;
  function call(operation: string, ...args: unknown[]): unknown {
    const answer = bridge(operation, ...args);
    if (answer.e !== undefined) throw hostError(answer.e);
    return answer.v;
  }
  return call;
}

/** The host's failure as an error of this realm. */
export function hostError({ name, message, fields }: HostFailure): Error {
  const ofName: Record<string, new (message: string) => Error> = { TypeError, RangeError, SyntaxError };
  const error = new (ofName[name] ?? Error)(message);
  return Object.assign(error, fields);
}

/**
 * The bytes of a view as a copy of exactly their size: what is cloned to the host is a view's whole buffer. Any other value
 * becomes what `Uint8Array` makes of it.
 */
export function exactBytes(view: unknown): Uint8Array {
  if (!ArrayBuffer.isView(view)) return new Uint8Array(view as ArrayBuffer);
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  return view.byteLength === view.buffer.byteLength ? bytes : bytes.slice();
}
