import type { Auditable, PageQuery } from './page.ts';

export interface Token<Data = unknown> extends Auditable {
  readonly id: string;
  readonly tenantId: string;
  readonly type: string;
  /** As much of it as the application may see: plain, masked, or absent. */
  readonly data?: Data;
  readonly metadata?: Record<string, string>;
  /** The expressions, not what they evaluate to. */
  readonly mask?: unknown;
  readonly containers: string[];
  readonly fingerprint?: string;
  readonly fingerprintExpression?: string;
  readonly searchIndexes?: string[];
  readonly expiresAt?: string;
  /** On creation: whether an earlier token with the same data was given. */
  readonly extras?: { readonly deduplicated?: boolean };
}

export interface CreateToken<Data = unknown> {
  /** 3 to 400 characters, or an expression that makes an alias. Default: a UUID. */
  readonly id?: string | undefined;
  /** `token`, `card`, `bank`, `card_number`, `social_security_number`, … */
  readonly type: string;
  /** Any JSON. Sent as it is: its keys are not converted. */
  readonly data: Data;
  /** Sent as it is. */
  readonly metadata?: Record<string, string> | undefined;
  /** At most one, e.g. `['/pci/high/']`. */
  readonly containers?: readonly string[] | undefined;
  /** Expressions, in any JSON. Its keys are converted to snake_case. */
  readonly mask?: unknown;
  readonly fingerprintExpression?: string | undefined;
  readonly deduplicateToken?: boolean | undefined;
  readonly searchIndexes?: readonly string[] | undefined;
  /** ISO 8601. */
  readonly expiresAt?: string | undefined;
}

/** What is to be changed, merged into what there is (RFC 7386). */
export type UpdateToken<Data = unknown> = Partial<Omit<CreateToken<Data>, 'id' | 'type'>>;

export interface TokenQuery extends PageQuery {
  readonly id?: string | readonly string[] | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly metadata?: Record<string, string> | undefined;
}

export interface TokenSearch extends PageQuery {
  readonly query: string;
}
