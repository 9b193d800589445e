import type { Permission } from '@glovebox/access/permission';

import type { Call, Reply } from '../http/call.ts';
import type { Dependencies } from '../operations/dependencies.ts';
import type { ManagementPrincipal } from './authenticate.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The body that a request must have; `no body`: whatever it has is ignored. */
export type BodyKind = 'json' | 'merge-patch' | 'json or merge-patch' | 'no body';

export interface Route {
  readonly method: Method;
  readonly path: string;
  /** What the caller's application must hold, all of it; `any-key` asks for no more than a valid key. */
  readonly permission: Permission | readonly Permission[] | 'any-key';
  readonly operation: (dependencies: Dependencies, call: Call) => Promise<Reply>;
  readonly body: BodyKind;
  /** It takes `If-Match` (contract/versions.md#conflicts). */
  readonly versioned?: true;
  /** In place of the permission: any of both is enough. */
  readonly orPermission?: Permission;
  /** It stores nothing: an idempotency key is not looked at. */
  readonly storesNothing?: true;
  /** It is for the pages of the console, and not in the API description. */
  readonly undescribed?: true;
  /** For these callers the operation itself checks what they may do, in place of the permission. */
  readonly operationAuthorizes?: (principal: ManagementPrincipal) => boolean;
}
