import type { Permission } from '@glovebox/access/permission';
import type { Principal } from '@glovebox/access/principal';
import type { Warnings } from '@glovebox/platform/http/warnings';

import type { Caller } from './caller.ts';

/** An authenticated request, as far as an operation needs to know it. */
export interface Call {
  readonly principal: Principal;
  /** Of the path; an operation whose path has `:id` gets a UUID in lower case. */
  readonly id: string;
  /** The same for `:keyId`. */
  readonly keyId: string;
  readonly query: URLSearchParams;
  readonly correlationId: string;
  /** A JSON object, for operations that take a body. */
  readonly body: unknown;
  /** What is probably a mistake in the request is added to them. */
  readonly warnings: Warnings;
}

export interface Reply {
  readonly status: 200 | 201 | 204;
  /** Absent with 204. Properties that are undefined are not sent. */
  readonly body?: object;
  /** Path of what was created. */
  readonly location?: string;
  /** Of the call that it is the answer to; of a handler's own reply absent. */
  readonly warnings?: readonly string[];
}

export type Handler = (call: Call) => Promise<Reply>;

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** What body a request has to have; without one it may send any, and that is ignored. */
export type BodyKind = 'json' | 'merge-patch' | 'no body';

/** One line of the table of operations in app.ts. */
export interface Operation {
  readonly method: Method;
  readonly path: string;
  /** What the caller's application must hold, all of it; `any-key` asks for no more than a valid key. */
  readonly permission: Permission | readonly Permission[] | 'any-key';
  readonly handler: Handler;
  readonly body: BodyKind;
  /** Of callers without the permission those whom the handler judges itself. */
  readonly judges?: (caller: Caller) => boolean;
}

const usualBody: Readonly<Record<Method, BodyKind>> = {
  get: 'no body',
  post: 'json',
  put: 'json',
  patch: 'merge-patch',
  delete: 'no body',
};

export function operation(
  method: Method,
  path: string,
  permission: Operation['permission'],
  handler: Handler,
  body: BodyKind = usualBody[method],
): Operation {
  return { method, path, permission, handler, body };
}
