import type { AccessRule } from './application.ts';

export interface Session {
  readonly sessionKey: string;
  readonly nonce: string;
  readonly expiresAt: string;
}

export interface AuthorizeSession {
  readonly nonce: string;
  readonly permissions?: readonly string[] | undefined;
  readonly rules?: readonly SessionRule[] | undefined;
  readonly expiresAt?: string | undefined;
}

/** Holds for a container, or for the tokens that meet all conditions. */
export interface SessionRule extends Omit<AccessRule, 'container'> {
  readonly container?: string | undefined;
  readonly conditions?: readonly AccessCondition[] | undefined;
}

export interface AccessCondition {
  /** `id` or `container`. */
  readonly attribute: string;
  /** `equals` or `starts_with`. */
  readonly operator: string;
  readonly value: string;
}
