/**
 * The client of the vault, which acts as the application of the proxy or reactor. It holds no key, and ends with the run.
 * It is an instance of `Glovebox` of `@glovebox/sdk`; calls other than these are a 404.
 */
interface Bt {
  /** Tokens. */
  tokens: BtTokens;
  /** Other reactors. */
  reactors: BtReactors;
  /** Replaces every value in any JSON by a token. Neither the request nor the answer is converted. */
  tokenize<Result = any>(payload: unknown, options?: BtOptions): Promise<Result>;
  /** Replaces every expression in any JSON by its value. Needs a rule that reveals. Nothing is converted. */
  detokenize<Result = any>(payload: unknown, options?: BtOptions): Promise<Result>;
}

/** Calls on tokens. Names are in camelCase; `data` and `metadata` are not converted. */
interface BtTokens {
  /** Makes a token. */
  create(model: BtTokenRequest, options?: BtOptions): Promise<BtToken>;
  /** Reads a token, as far as the application may see it. */
  retrieve(id: string, options?: BtOptions): Promise<BtToken>;
  /** Changes a token by a merge patch: null removes. */
  update(id: string, changes: Partial<BtTokenRequest>, options?: BtOptions): Promise<BtToken>;
  /** Deletes a token. */
  delete(id: string, options?: BtOptions): Promise<void>;
  /** Lists tokens. */
  list(query?: object, options?: BtOptions): Promise<BtPage>;
  /** Searches tokens, such as `{ query: 'metadata.customer: 9' }`. */
  search(search: { query: string; page?: number; size?: number }, options?: BtOptions): Promise<BtPage>;
  /** Makes a token that is a child of another. */
  createChild(parentId: string, model: BtTokenRequest, options?: BtOptions): Promise<BtToken>;
  /** Lists the children of a token. */
  listChildren(parentId: string, query?: object, options?: BtOptions): Promise<BtPage>;
  /** Makes a token the child of another. */
  createAssociation(parentId: string, childId: string, options?: BtOptions): Promise<void>;
  /** Ends that a token is the child of another. */
  deleteAssociation(parentId: string, childId: string, options?: BtOptions): Promise<void>;
}

/** Calls on reactors. */
interface BtReactors {
  /** Invokes another reactor; they may nest three levels deep. */
  react(id: string, request?: { args?: unknown }, options?: BtOptions): Promise<{ tokens?: any; raw?: any }>;
}

/** Options of one call. */
interface BtOptions {
  /** Another key of the same tenant, which the call acts as. */
  apiKey?: string;
  /** Appears in the logs. */
  correlationId?: string;
  /** Creates and updates with the same key are done once. */
  idempotencyKey?: string;
}

/** A token that is to be made. */
interface BtTokenRequest {
  /** 3 to 400 characters, or an expression that makes an alias. Default: a UUID. */
  id?: string;
  /** What kind of data it holds. */
  type:
    | 'token'
    | 'card'
    | 'bank'
    | 'card_number'
    | 'us_bank_account_number'
    | 'us_bank_routing_number'
    | 'social_security_number'
    | 'employer_id_number'
    | 'network_token';
  /** Any JSON, at most 1 MiB. */
  data: any;
  /** At most 100 entries. */
  metadata?: Record<string, string>;
  /** At most one, such as `['/pci/high/']`. */
  containers?: readonly string[];
  /** Expressions in any JSON. */
  mask?: object | string | number | boolean;
  /** An expression; its text is digested. */
  fingerprintExpression?: string;
  /** Whether an existing token with the same fingerprint is given instead. */
  deduplicateToken?: boolean;
  /** At most 10 expressions. */
  searchIndexes?: readonly string[];
  /** ISO 8601. */
  expiresAt?: string;
}

/** A token. */
interface BtToken {
  /** Names it in expressions and calls. */
  id: string;
  /** What kind of data it holds. */
  type: string;
  /** As far as the application may see it: plain, masked, or absent. */
  data?: any;
  /** As it was given. */
  metadata?: Record<string, string>;
  /** Where it is kept, which access rules go by. */
  containers: string[];
  /** The same for the same data. */
  fingerprint?: string;
  /** ISO 8601. */
  expiresAt?: string;
}

/** A page of tokens. */
interface BtPage {
  /** The tokens of this page. */
  data: BtToken[];
  /** Where it is among all. */
  pagination: { totalItems?: number; pageNumber?: number; pageSize: number; totalPages?: number };
}

/** What a failed call of `bt` rejects with. */
interface BtError extends Error {
  /** The HTTP status, or −1 without an answer. */
  status: number;
  /** The error object, in camelCase. */
  data: any;
}
