import type { Permission } from '@glovebox/access/permission';

import type { Handler } from '../http/call.ts';
import type { Caller } from './caller.ts';

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
