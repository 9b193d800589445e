import type { Auditable, PageQuery } from './page.ts';

/** A deduplicated token that the application may not read has little more than its id. */
export interface Token<Data = unknown> extends Partial<Auditable> {
  readonly id: string;
  readonly tenantId: string;
  readonly type: string;
  /** As far as the application may see it: plaintext, masked, or absent. */
  readonly data?: Data;
  readonly metadata?: Record<string, string>;
  /** The expressions, not what they evaluate to. */
  readonly mask?: unknown;
  readonly containers: string[];
  readonly fingerprint?: string;
  readonly fingerprintExpression?: string;
  readonly searchIndexes?: string[];
  readonly expiresAt?: string;
  /** On creation: whether an existing token with the same data was returned. */
  readonly extras?: {
    readonly deduplicated: boolean;
    readonly deduplicationBehavior?: 'read_existing' | 'update_existing';
  };
  /** Unchanged from the request. */
  readonly encryption?: unknown;
  /** Of a card, for callers who may see the plaintext. */
  readonly card?: CardDetails;
  /** Of a bank account, for callers who may see the plaintext. */
  readonly bank?: BankDetails;
  /** Determined by the container. */
  readonly privacy?: TokenPrivacy & { readonly restrictionPolicy: string };
}

export interface CardDetails {
  /** The first eight digits, or six of fewer than sixteen. */
  readonly bin?: string;
  readonly last4?: string;
  readonly expirationMonth?: number;
  readonly expirationYear?: number;
  /** `visa`, `mastercard`, `american-express` and so on. */
  readonly brand?: string;
}

export interface BankDetails {
  readonly routingNumber?: string;
  readonly accountNumberLast4?: string;
}

/** Used by older clients instead of a container. */
export interface TokenPrivacy {
  readonly classification?: 'general' | 'bank' | 'pci' | 'pii' | undefined;
  readonly impactLevel?: 'low' | 'moderate' | 'high' | undefined;
}

export type TokenType =
  | 'token'
  | 'card'
  | 'bank'
  | 'card_number'
  | 'us_bank_account_number'
  | 'us_bank_routing_number'
  | 'social_security_number'
  | 'employer_id_number'
  | 'network_token';

/** How the client encrypted the data. The service only stores and shows it. */
export interface TokenEncryption {
  readonly cek: EncryptionKey;
  readonly kek: EncryptionKey;
}

export interface EncryptionKey {
  readonly key: string;
  readonly alg?: string | undefined;
  readonly prov?: string | undefined;
}

export interface CreateToken<Data = unknown> {
  /** 3 to 400 characters, or an expression that evaluates to an alias. Default: a UUID. */
  readonly id?: string | undefined;
  readonly type: TokenType;
  /** Any JSON. Sent unchanged: the keys are not converted. */
  readonly data: Data;
  /** Sent unchanged. */
  readonly metadata?: Record<string, string> | undefined;
  /** At most one, e.g. `['/pci/high/']`. */
  readonly containers?: readonly string[] | undefined;
  /** Expressions, in any JSON. The keys are converted to snake_case. */
  readonly mask?: object | string | number | boolean | undefined;
  readonly fingerprintExpression?: string | undefined;
  readonly deduplicateToken?: boolean | undefined;
  readonly searchIndexes?: readonly string[] | undefined;
  /** ISO 8601. */
  readonly expiresAt?: string | undefined;
  readonly encryption?: TokenEncryption | undefined;
  readonly privacy?: TokenPrivacy | undefined;
}

/** A token of client-encrypted data. Mask, fingerprint and search indexes are the type's defaults. */
export interface CreateEncryptedToken extends Pick<
  CreateToken,
  'id' | 'type' | 'containers' | 'metadata' | 'expiresAt' | 'deduplicateToken'
> {
  /** A JWE in compact form (RFC 7516) of the JSON of the data, to one of the tenant's keys. */
  readonly encrypted: string;
}

/** The changes, as a merge patch (RFC 7386). */
export type UpdateToken<Data = unknown> = Partial<Omit<CreateToken<Data>, 'id' | 'type'>>;

export interface TokenQuery extends PageQuery {
  readonly id?: string | readonly string[] | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly metadata?: Record<string, string> | undefined;
}

export interface TokenSearch extends PageQuery {
  readonly query: string;
}
