import type { CreateEncryptedToken, CreateToken, TokenType } from './token.ts';

export interface TokenIntent {
  readonly id: string;
  readonly tenantId: string;
  readonly type: TokenType;
  readonly fingerprint?: string;
  readonly expiresAt: string;
  readonly createdBy: string;
  readonly createdAt: string;
}

export type CreateTokenIntent<Data = unknown> = Pick<CreateToken<Data>, 'type' | 'data'>;

export type CreateEncryptedTokenIntent = Pick<CreateEncryptedToken, 'type' | 'encrypted'>;
