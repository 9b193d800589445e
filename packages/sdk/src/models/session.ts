import type { AccessRule } from './application.ts';

export interface Session {
  readonly sessionKey: string;
  readonly nonce: string;
  readonly expiresAt: string;
}

export interface AuthorizeSession {
  readonly nonce: string;
  readonly permissions?: readonly string[] | undefined;
  readonly rules?: readonly AccessRule[] | undefined;
  readonly expiresAt?: string | undefined;
}
