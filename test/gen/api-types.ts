// Made by `node --conditions=source packages/openapi/src/render-main.ts` from packages/openapi/document.

export type ApplicationKey = { readonly id: Id; readonly createdBy?: Id; readonly createdAt: Time; readonly lastUsedAt?: Time; readonly requestsPerMinute?: number; };

export type CreatedApplicationKey = { readonly id: Id; readonly createdBy: Id; readonly createdAt: Time; readonly lastUsedAt?: Time; readonly requestsPerMinute?: number; readonly key: ApiKey; };

export type ApplicationTemplate = { readonly id: Id; readonly name: ResourceName; readonly description: string; readonly applicationType: ApplicationType; readonly templateType: "starters" | "payments" | "banking" | "pii" | "management"; readonly isStarter: boolean; readonly permissions?: readonly (PermissionType)[]; readonly rules?: readonly (Rule)[]; };

export type Role = { readonly role: TenantRole; readonly description: string; readonly permissions: readonly (PermissionType)[]; readonly tokenTransform?: "redact" | "mask" | "reveal"; };

export type ApplicationType = "private" | "public" | "management" | "expiring";

export type ApiKey = string;

export type PermissionType = string;

export type Permission = { readonly type: PermissionType; readonly description: string; readonly applicationTypes: readonly (ApplicationType)[]; };

export type View = "redact" | "mask" | "reveal";

export type Container = string;

export type RuleRequest = { readonly description?: string | null; readonly priority: number; readonly container?: (Container) | (null); readonly conditions?: readonly (Condition)[] | null; readonly transform: View; readonly permissions: readonly (PermissionType)[]; readonly destinations?: readonly (string)[] | null; };

export type Rule = { readonly description?: string; readonly priority: number; readonly container?: Container; readonly conditions?: readonly (Condition)[]; readonly transform: View; readonly permissions: readonly (PermissionType)[]; readonly destinations?: readonly (string)[]; };

export type Condition = { readonly attribute: string; readonly operator: string; readonly value: string; };

export type SimulatedAccess = { readonly permission: PermissionType; readonly container: Container; readonly tokenId?: string; readonly decision: "allowed" | "denied"; readonly reason?: "not_held" | "outside_scope" | "use_without_reveal" | "unreadable_rule" | "destination_not_bound" | "egress_policy"; readonly transform?: View; readonly rule?: NamedRule; readonly reach?: { readonly anywhere: boolean; readonly destinations: readonly (string)[]; }; readonly version?: number; readonly egress?: { readonly destination: string; readonly mode: "off" | "report" | "enforce"; readonly allowed: boolean; readonly reason?: "egress_policy"; }; readonly rules: readonly ({ readonly priority: number; readonly description?: string; readonly outcome: "decides" | "comes_later" | "other_permission" | "other_tokens" | "other_destinations"; })[]; };

export type NamedRule = { readonly priority: number; readonly description?: string; };

export type ApplicationChange = { readonly name: ResourceName; readonly permissions?: readonly (PermissionType)[] | null; readonly rules?: readonly (RuleRequest)[] | null; readonly canCreateExpiringApplications?: boolean | null; readonly limits?: { readonly usesPerHour?: number; readonly distinctTokensPerHour?: number; } | null; };

export type UseLimits = { readonly usesPerHour?: number; readonly distinctTokensPerHour?: number; };

export type ApplicationRequest = (ApplicationChange) & ({ readonly type: ApplicationType; readonly createKey?: boolean | null; readonly expiresAt?: string | null; });

export type Application = { readonly id: Id; readonly tenantId: Id; readonly name: ResourceName; readonly key?: ApiKey; readonly keys: readonly (ApplicationKey)[]; readonly type: ApplicationType; readonly permissions: readonly (PermissionType)[]; readonly rules: readonly (Rule)[]; readonly canCreateExpiringApplications?: boolean; readonly limits?: UseLimits; readonly expiresAt?: Time; readonly createdBy: Id; readonly createdAt: Time; readonly modifiedBy?: Id; readonly modifiedAt?: Time; };

export type ResponseGuard = "off" | "report" | "mask" | "refuse";

export type ResponseGuardChoice = (ResponseGuard) | (null);

export type HostPatterns = readonly (string)[];

export type Error = { readonly errors: Readonly<Record<string, readonly (string)[]>>; readonly title: string; readonly status: number; readonly detail: string; readonly code: string; readonly traceId: string; readonly docUrl: string; };

export type Id = string;

export type Time = string;

export type ResourceName = string;

export type SourceCode = string;

export type Reference = { readonly id: Id; };

export type State = "active";

export type ReferencePatch = { readonly id?: Id; };

export type Pagination = { readonly totalItems: number; readonly pageNumber: number; readonly pageSize: number; readonly totalPages: number; };

export type CursorPagination = { readonly pageSize: number; readonly next?: string; readonly after?: string; };

export type EventDelivery = { readonly event: Event; readonly deliveredAt: Time; };

export type Event = { readonly id: Id; readonly type: WebhookEvent; readonly timestamp: Time; readonly tenantId: Id; readonly traceId: string; readonly data: EventData; };

export type EncryptedData = { readonly type: TokenType; readonly encrypted: string; };

export type EncryptedTokenRequest = (EncryptedData) & ({ readonly id?: string | null; readonly containers?: readonly (Container)[] | null; readonly metadata?: Readonly<Record<string, string | null>> | null; readonly expiresAt?: string | null; readonly deduplicateToken?: boolean | null; });

export type EventData = (ReactorEvent) | (ProxyInvokedEvent) | (ProxyLeakEvent) | (ReactorLeakEvent) | (ApplicationEvent) | (ApplicationKeyEvent) | (UseLimitEvent) | (ProxyEvent) | (ReactorChangeEvent) | (SessionEvent) | (TenantEvent) | (TenantInvitationEvent) | (TokenEvent) | (EgressViolationEvent) | (RolloutStoppedEvent) | (TokenReadEvent) | (TokenRevealedEvent) | (TokenGoneEvent) | (TokenPropertyEvent);

export type EventActor = { readonly id?: Id; readonly type: "application" | "session" | "user" | "system"; readonly name?: string; };

export type EventReference = { readonly id: Id; readonly name?: string; };

export type EgressViolationEvent = { readonly subject: { readonly type: "proxy" | "reactor" | "webhook"; readonly id?: Id; }; readonly destination: string; readonly outcome: "allowed" | "denied"; readonly reason: "egress_policy" | "ephemeral_proxy" | "allowed_destinations"; readonly count: number; readonly actor?: EventActor; };

export type RolloutStoppedEvent = { readonly subject: { readonly type: "proxy" | "reactor"; readonly id: Id; }; readonly version: number; readonly percent: number; readonly reason: "error_rate"; readonly requests: number; readonly errors: number; readonly actor: EventActor; };

export type ReactorEvent = { readonly reactor: { readonly id: Id; readonly name?: string; }; readonly request: { readonly id?: Id; readonly invocationType: "sync" | "async"; }; readonly elapsedMs?: number; readonly error?: string; readonly actor: EventActor; };

export type ProxyInvokedEvent = { readonly proxy: { readonly id?: Id; readonly name?: string; readonly type: "pre_configured" | "ephemeral"; readonly response: { readonly status: number; readonly error?: string; readonly elapsedMs: number; }; }; readonly destination?: { readonly request: { readonly method: string; readonly url: string; readonly headers: readonly (string)[]; }; readonly response?: { readonly status: number; readonly elapsedMs: number; }; }; readonly requestTransform?: TransformFailure; readonly responseTransform?: TransformFailure; readonly actor?: EventActor; };

export type ProxyLeakEvent = { readonly proxy: { readonly id?: Id; readonly name?: string; readonly type: "pre_configured" | "ephemeral"; }; readonly mode: LeakMode; readonly foundIn: LeakPlaces; readonly destination?: { readonly url: string; }; readonly actor?: EventActor; };

export type ReactorLeakEvent = { readonly reactor: EventReference; readonly mode: LeakMode; readonly foundIn: LeakPlaces; readonly actor?: EventActor; };

export type LeakMode = "report" | "mask" | "refuse";

export type LeakPlaces = readonly ("headers" | "body")[];

export type TransformFailure = { readonly response: { readonly error: string; }; };

export type ApplicationEvent = { readonly id: Id; readonly name: ResourceName; readonly type: ApplicationType; readonly permissions: readonly (PermissionType)[]; readonly expiresAt?: Time; readonly createdBy: Id; readonly createdAt: Time; readonly modifiedBy?: Id; readonly modifiedAt?: Time; readonly actor: EventActor; };

export type ApplicationKeyEvent = { readonly id: Id; readonly application: EventReference; readonly createdBy?: Id; readonly createdAt: Time; readonly actor: EventActor; };

export type UseLimitEvent = { readonly application: EventReference; readonly limit: "uses_per_hour" | "distinct_tokens_per_hour"; readonly maximum: number; readonly actor: EventActor; };

export type ProxyEvent = { readonly id: Id; readonly name: ResourceName; readonly applicationId?: Id; readonly requireAuth: boolean; readonly createdBy: Id; readonly createdAt: Time; readonly modifiedBy?: Id; readonly modifiedAt?: Time; readonly actor: EventActor; };

export type ReactorChangeEvent = { readonly id: Id; readonly name: ResourceName; readonly application?: EventReference; readonly createdBy: Id; readonly createdAt: Time; readonly modifiedBy?: Id; readonly modifiedAt?: Time; readonly actor: EventActor; };

export type SessionEvent = { readonly id: Id; readonly application: EventReference; readonly expiresAt: Time; readonly permissions?: readonly (PermissionType)[]; readonly actor: EventActor; };

export type TenantEvent = { readonly id: Id; readonly name: ResourceName; readonly settings: Readonly<Record<string, string>>; readonly createdBy: Id; readonly createdAt: Time; readonly modifiedBy?: Id; readonly modifiedAt?: Time; readonly actor: EventActor; };

export type TenantInvitationEvent = { readonly id: Id; readonly expiresAt: Time; readonly createdBy: Id; readonly createdAt: Time; readonly modifiedBy?: Id; readonly modifiedAt?: Time; readonly actor: EventActor; };

export type TokenEvent = { readonly id: string; readonly type: string; readonly metadata?: Readonly<Record<string, string>>; readonly containers: readonly (Container)[]; readonly fingerprint?: string; readonly fingerprintExpression?: string; readonly searchIndexes: readonly (string)[]; readonly expiresAt?: string; readonly createdBy: Id; readonly createdAt: Time; readonly modifiedBy?: Id; readonly modifiedAt?: Time; readonly actor: EventActor; };

export type TokenReadEvent = { readonly id: string; readonly type: string; readonly actor: EventActor; };

export type TokenRevealedEvent = { readonly id: string; readonly type: string; readonly reason: string; readonly actor: EventActor; };

export type TokenGoneEvent = { readonly id: string; readonly actor: EventActor; };

export type TokenPropertyEvent = { readonly id: string; readonly propertyName: "cvc"; readonly actor: EventActor; };

export type InvocationOutcome = "succeeded" | "failed" | "refused";

export type InvocationPagination = { readonly pageSize: number; readonly next?: string; readonly after?: string; };

export type AsyncInvocation = { readonly id: string; readonly reactorId: string; readonly applicationId?: string; readonly state: "waiting" | "running" | "completed" | "failed" | "interrupted"; readonly acceptedAt: string; readonly endedAt?: string; readonly durationMs?: number; readonly error?: string; };

export type InvocationOutline = { readonly id: Id; readonly subject: { readonly type: "proxy" | "reactor"; readonly id?: string; }; readonly version?: number; readonly outcome: InvocationOutcome; readonly status?: number; readonly traceId: string; readonly applicationId?: string; readonly startedAt: string; readonly durationMs: number; readonly stages?: Readonly<Record<string, number>>; readonly destination?: { readonly url: string; readonly status?: number; }; readonly requestBytes?: number; readonly responseBytes?: number; readonly error?: { readonly code: string; readonly line?: number; readonly column?: number; }; readonly logged: boolean; };

export type InvocationList = { readonly data: readonly (Invocation)[]; };

export type Invocation = { readonly id: Id; readonly correlationId: string; readonly startedAt: Time; readonly durationMs: number; readonly outcome: "returned" | "threw" | "not_a_function" | "bad_argument" | "result_too_large" | "unusable_result" | "timeout" | "cpu" | "memory" | "crashed" | "worker_lost" | "cancelled"; readonly side?: "request" | "response"; readonly error?: { readonly name?: string; readonly message: string; readonly stack?: readonly (string)[]; }; readonly log: readonly ({ readonly time: Time; readonly level: "info" | "error"; readonly text: string; })[]; };

export type KeyRequest = { readonly encoding?: "JWK" | "PEM" | null; readonly expiresAt?: string | null; };

export type Key = { readonly id: Id; readonly tenantId: Id; readonly encoding: "JWK" | "PEM"; readonly algorithm: "ECDH-ES"; readonly publicKeyJwk?: PublicJwk; readonly publicKeyPem?: string; readonly expiresAt?: Time; readonly createdBy: Id; readonly createdAt: Time; };

export type PublicJwk = { readonly kty: "EC"; readonly crv: "P-256"; readonly x: string; readonly y: string; readonly kid: string; readonly use: "enc"; readonly alg: "ECDH-ES"; };

export type AuditKeys = { readonly keys: readonly (AuditKey)[]; };

export type AuditKey = { readonly kty: "OKP"; readonly crv: "Ed25519"; readonly x: string; readonly kid: string; readonly alg: "EdDSA"; readonly use: "sig"; readonly createdAt: Time; };

export type LogPagination = { readonly totalItems?: number; readonly pageNumber?: number; readonly pageSize: number; readonly totalPages?: number; readonly next?: string; readonly after?: string; };

export type LogEntityType = { readonly displayName: string; readonly value: string; };

export type Log = { readonly id: string; readonly tenantId: Id; readonly actorId?: string; readonly actorType: "application" | "session" | "user" | "system"; readonly entityType: string; readonly entityId: string; readonly operation: string; readonly outcome: "allowed" | "denied"; readonly reason?: string; readonly rule?: number; readonly purpose?: { readonly type: string; readonly id?: string; }; readonly destination?: string; readonly traceId?: string; readonly clientAddress?: string; readonly count?: number; readonly message: string; readonly createdAt: Time; };

export type TenantRole = "OWNER" | "ADMIN" | "DEVELOPER" | "AUDITOR" | "VIEWER";

export type TenantMemberRequest = { readonly role: TenantRole; };

export type TenantMember = { readonly id: Id; readonly tenantId: Id; readonly role: TenantRole; readonly user: { readonly id: Id; readonly email?: string; readonly firstName?: string; readonly lastName?: string; }; readonly createdBy: Id; readonly createdAt: Time; readonly modifiedBy?: Id; readonly modifiedAt?: Time; };

export type InvitationStatus = "PENDING" | "EXPIRED";

export type TenantInvitationRequest = { readonly email: string; readonly role?: (TenantRole) | (null); };

export type TenantInvitation = { readonly id: Id; readonly tenantId: Id; readonly email: string; readonly role: TenantRole; readonly status: InvitationStatus; readonly expiresAt: Time; readonly createdBy: Id; readonly createdAt: Time; readonly modifiedBy?: Id; readonly modifiedAt?: Time; };

export type Transform = { readonly type?: "code" | "mask" | "tokenize" | "append_json" | "append_text" | "append_header"; readonly code?: SourceCode; readonly matcher?: "regex" | "chase_stratus_pan"; readonly expression?: string; readonly replacement?: string; readonly options?: { readonly token?: object; readonly identifier?: string; readonly value?: unknown; readonly location?: string; }; };

export type TransformRequest = { readonly type?: "code" | "mask" | "tokenize" | "append_json" | "append_text" | "append_header" | null; readonly code?: (SourceCode) | (null); readonly matcher?: "regex" | "chase_stratus_pan"; readonly expression?: string; readonly replacement?: string; readonly options?: { readonly token?: object; readonly identifier?: string; readonly value?: unknown; readonly location?: string; } | null; } | null;

export type TransformPatch = { readonly type?: "code" | "mask" | "tokenize" | "append_json" | "append_text" | "append_header" | null; readonly code?: (SourceCode) | (null); readonly matcher?: "regex" | "chase_stratus_pan"; readonly expression?: string; readonly replacement?: string; readonly options?: { readonly token?: object; readonly identifier?: string; readonly value?: unknown; readonly location?: string; } | null; } | null;

export type TransformList = readonly (Transform)[];

export type TransformListRequest = readonly (TransformRequest)[] | null;

export type DestinationTlsRequest = { readonly clientCertificate?: string | null; readonly clientKey?: string | null; readonly ca?: string | null; readonly pins?: readonly (PublicKeyPin)[] | null; };

export type DestinationTls = { readonly clientCertificate?: string; readonly hasClientKey: boolean; readonly ca?: string; readonly pins?: readonly (PublicKeyPin)[]; readonly notAfter?: Time; };

export type PublicKeyPin = string;

export type ProxyRequest = { readonly name: ResourceName; readonly destinationUrl: string; readonly destinationTls?: (DestinationTlsRequest) | (null); readonly requestTransform?: TransformRequest; readonly responseTransform?: TransformRequest; readonly requestTransforms?: TransformListRequest; readonly responseTransforms?: TransformListRequest; readonly configuration?: Readonly<Record<string, string | null>> | null; readonly application?: (Reference) | (null); readonly applicationId?: string | null; readonly requireAuth?: boolean | null; readonly disableDetokenization?: boolean | null; readonly timeout?: number | null; readonly responseGuard?: ResponseGuardChoice; readonly allowedDestinations?: (HostPatterns) | (null); };

export type ProxyPatch = { readonly name?: ResourceName; readonly destinationUrl?: string; readonly destinationTls?: (DestinationTlsRequest) | (null); readonly requestTransform?: TransformPatch; readonly responseTransform?: TransformPatch; readonly requestTransforms?: TransformListRequest; readonly responseTransforms?: TransformListRequest; readonly configuration?: Readonly<Record<string, string | null>> | null; readonly application?: (ReferencePatch) | (null); readonly requireAuth?: boolean | null; readonly disableDetokenization?: boolean | null; readonly timeout?: number | null; readonly responseGuard?: ResponseGuardChoice; readonly allowedDestinations?: (HostPatterns) | (null); };

export type Proxy = { readonly id: Id; readonly tenantId: Id; readonly name: ResourceName; readonly key: string; readonly destinationUrl: string; readonly destinationTls?: DestinationTls; readonly requestTransform?: Transform; readonly responseTransform?: Transform; readonly requestTransforms?: TransformList; readonly responseTransforms?: TransformList; readonly configuration?: Readonly<Record<string, string>>; readonly applicationId?: Id; readonly requireAuth: boolean; readonly disableDetokenization?: boolean; readonly timeout?: number; readonly responseGuard?: ResponseGuard; readonly allowedDestinations?: HostPatterns; readonly state: State; readonly createdBy: Id; readonly createdAt: Time; readonly modifiedBy?: Id; readonly modifiedAt?: Time; };

export type Payload = unknown;

export type ProxyError = { readonly proxyError: Error; };

export type DeclaredType = "string" | "boolean" | "number";

export type SettingDeclarationRequest = { readonly name: string; readonly description?: string | null; readonly type: DeclaredType; };

export type ParameterDeclarationRequest = { readonly name: string; readonly description?: string | null; readonly type: DeclaredType; readonly optional?: boolean | null; };

export type ReactorFormulaRequest = { readonly type: "private"; readonly status?: "verified" | "coming_soon" | null; readonly name: ResourceName; readonly description?: string | null; readonly icon?: string | null; readonly code: SourceCode; readonly configuration?: readonly (SettingDeclarationRequest)[] | null; readonly requestParameters?: readonly (ParameterDeclarationRequest)[] | null; };

export type SettingDeclaration = { readonly name: string; readonly description?: string; readonly type: DeclaredType; };

export type ParameterDeclaration = { readonly name: string; readonly description?: string; readonly type: DeclaredType; readonly optional: boolean; };

export type ReactorFormula = { readonly id: Id; readonly type: "private"; readonly status: "verified"; readonly name: ResourceName; readonly description?: string; readonly icon?: string; readonly code: SourceCode; readonly configuration: readonly (SettingDeclaration)[]; readonly requestParameters: readonly (ParameterDeclaration)[]; readonly createdBy: Id; readonly createdAt: Time; readonly modifiedBy?: Id; readonly modifiedAt?: Time; };

export type ReactRequest = { readonly args?: unknown; readonly callbackUrl?: string | null; readonly timeoutMs?: unknown; };

export type AsyncReactRequest = { readonly args?: unknown; };

export type ReactResponse = { readonly tokens?: unknown; readonly raw?: unknown; };

export type AsyncReactResponse = { readonly asyncReactorRequestId: Id; };

export type ReactorConfiguration = Readonly<Record<string, string | number | boolean | null>>;

export type ReactorAttributes = { readonly name?: ResourceName; readonly configuration?: (ReactorConfiguration) | (null); readonly code?: OwnCode; readonly application?: (Reference) | (null); readonly responseGuard?: ResponseGuardChoice; readonly allowedDestinations?: (HostPatterns) | (null); };

export type OwnCode = (SourceCode) | (null);

export type ReactorRequest = (ReactorAttributes) & ({ readonly name: ResourceName; readonly formula?: (Reference) | (null); });

export type ReactorChange = (ReactorAttributes) & ({ readonly name: ResourceName; readonly formula?: unknown; });

export type ReactorPatch = { readonly name?: ResourceName; readonly configuration?: (ReactorConfigurationPatch) | (null); readonly formula?: unknown; readonly code?: OwnCode; readonly application?: (ReferencePatch) | (null); readonly responseGuard?: ResponseGuardChoice; readonly allowedDestinations?: (HostPatterns) | (null); };

export type ReactorConfigurationPatch = Readonly<Record<string, string | number | boolean | null>>;

export type Reactor = { readonly id: Id; readonly tenantId: Id; readonly name: ResourceName; readonly formula?: ReactorFormula; readonly code?: SourceCode; readonly state: State; readonly configuration: Readonly<Record<string, string>>; readonly application?: Application; readonly responseGuard?: ResponseGuard; readonly allowedDestinations?: HostPatterns; readonly createdBy: Id; readonly createdAt: Time; readonly modifiedBy?: Id; readonly modifiedAt?: Time; };

export type RolloutRequest = { readonly version: number; readonly percent: number; readonly mode?: "live" | "shadow" | null; readonly by?: string | null; readonly stopWhen?: { readonly errorRate: number; readonly minRequests: number; } | null; };

export type Rollout = { readonly version: number; readonly percent: number; readonly mode: "live" | "shadow"; readonly by: string; readonly stopWhen?: { readonly errorRate: number; readonly minRequests: number; }; readonly state: "running" | "stopped" | "completed"; readonly reason?: "error_rate"; readonly versions: readonly (RolloutFigures)[]; readonly shadow?: RolloutShadow; readonly createdBy: Id; readonly createdAt: Time; readonly modifiedBy?: Id; readonly modifiedAt?: Time; };

export type RolloutShadow = { readonly compared: number; readonly equal: number; readonly skipped: number; readonly differences: readonly ({ readonly path: string; readonly kind: "added" | "removed" | "type" | "value" | "answered" | "failed" | "other"; readonly count: number; })[]; };

export type RolloutFigures = { readonly version: number; readonly requests: number; readonly errors: number; readonly p50Ms?: number; readonly p99Ms?: number; };

export type Session = { readonly sessionKey: ApiKey; readonly nonce: string; readonly expiresAt: Time; };

export type SessionAuthorization = { readonly nonce: string; readonly permissions?: readonly (PermissionType)[] | null; readonly rules?: readonly (RuleRequest)[] | null; readonly expiresAt?: string | null; };

export type EgressPolicyRequest = { readonly mode: "off" | "report" | "enforce"; readonly destinations?: (HostPatterns) | (null); readonly ephemeral?: boolean | null; };

export type EgressPolicy = { readonly mode: "off" | "report" | "enforce"; readonly destinations: HostPatterns; readonly ephemeral: boolean; };

export type TenantRequest = { readonly name: ResourceName; readonly settings?: Readonly<Record<string, string>> | null; };

export type Tenant = { readonly id: Id; readonly ownerId: Id; readonly name: ResourceName; readonly type: "production"; readonly settings: Readonly<Record<string, string>>; readonly createdBy: Id; readonly createdAt: Time; readonly modifiedBy?: Id; readonly modifiedAt?: Time; };

export type TokenIntentRequest = { readonly type: TokenType; readonly data: TokenData; };

export type TokenIntent = { readonly id: string; readonly tenantId: string; readonly type: TokenType; readonly fingerprint?: string; readonly expiresAt: Time; readonly createdBy: string; readonly createdAt: Time; };

export type TokenType = "token" | "card" | "bank" | "card_number" | "us_bank_account_number" | "us_bank_routing_number" | "social_security_number" | "employer_id_number" | "network_token";

export type TokenData = (object) | (readonly (unknown)[]) | (string) | (number) | (boolean);

export type Mask = (object) | (readonly (unknown)[]) | (string) | (number) | (boolean);

export type EncryptionKey = { readonly key: string; readonly alg?: string; readonly prov?: string; };

export type Encryption = { readonly cek: EncryptionKey; readonly kek: EncryptionKey; } | null;

export type TokenAttributes = { readonly mask?: (Mask) | (null); readonly fingerprintExpression?: string | null; readonly containers?: readonly (Container)[] | null; readonly metadata?: Readonly<Record<string, string | number | boolean | null>> | null; readonly searchIndexes?: readonly (string)[] | null; readonly expiresAt?: string | null; readonly deduplicateToken?: boolean | null; readonly encryption?: Encryption; readonly privacy?: { readonly classification?: "general" | "bank" | "pci" | "pii" | null; readonly impactLevel?: "low" | "moderate" | "high" | null; } | null; };

export type TokenRequest = (TokenAttributes) & ({ readonly id?: string | null; readonly type: TokenType; readonly data: TokenData; });

export type TokenPatch = (TokenAttributes) & ({ readonly data?: TokenData; });

export type TokenSearch = { readonly query?: string | null; readonly page?: number | null; readonly size?: number | null; readonly start?: string | null; };

export type Token = { readonly id: string; readonly tenantId: Id; readonly type: TokenType; readonly data?: unknown; readonly card?: { readonly bin?: string; readonly last4?: string; readonly expirationMonth?: number; readonly expirationYear?: number; readonly brand?: string; }; readonly bank?: { readonly routingNumber?: string; readonly accountNumberLast4?: string; }; readonly mask?: Mask; readonly fingerprint?: string; readonly fingerprintExpression?: string; readonly containers: readonly (Container)[]; readonly privacy?: { readonly classification: "general" | "bank" | "pci" | "pii"; readonly impactLevel: "low" | "moderate" | "high"; readonly restrictionPolicy: "mask" | "redact"; }; readonly metadata?: Readonly<Record<string, string>>; readonly searchIndexes: readonly (string)[]; readonly encryption?: Encryption; readonly expiresAt?: Time; readonly createdBy: Id; readonly createdAt: Time; readonly modifiedBy?: Id; readonly modifiedAt?: Time; };

export type CreatedToken = { readonly id: string; readonly tenantId: Id; readonly type: TokenType; readonly data?: unknown; readonly card?: { readonly bin?: string; readonly last4?: string; readonly expirationMonth?: number; readonly expirationYear?: number; readonly brand?: string; }; readonly bank?: { readonly routingNumber?: string; readonly accountNumberLast4?: string; }; readonly mask?: Mask; readonly fingerprint?: string; readonly fingerprintExpression?: string; readonly containers: readonly (Container)[]; readonly privacy?: { readonly classification: "general" | "bank" | "pci" | "pii"; readonly impactLevel: "low" | "moderate" | "high"; readonly restrictionPolicy: "mask" | "redact"; }; readonly metadata?: Readonly<Record<string, string>>; readonly searchIndexes?: readonly (string)[]; readonly encryption?: Encryption; readonly expiresAt?: Time; readonly createdBy?: Id; readonly createdAt?: Time; readonly modifiedBy?: Id; readonly modifiedAt?: Time; readonly extras?: { readonly deduplicated: boolean; readonly deduplicationBehavior?: "read_existing" | "update_existing"; }; };

export type TokenPage = { readonly pagination: (Pagination) | (CursorPagination); readonly data: readonly (Token)[]; };

export type TokenCursorPage = { readonly pagination: CursorPagination; readonly data: readonly (Token)[]; };

export type Document = unknown;

export type FormulaTrial = { readonly code: SourceCode; readonly configuration?: (ReactorConfiguration) | (null); readonly application?: (Reference) | (null); readonly event: { readonly args?: (object) | (readonly (unknown)[]) | (null); }; readonly network?: boolean | null; };

export type TransformTrial = (FormulaTrial) & ({ readonly side?: ("request" | "response") | (null); });

export type TrialResult = { readonly outcome: "returned" | "threw" | "syntax_error" | "not_a_function" | "bad_argument" | "result_too_large" | "unusable_result" | "timeout" | "cpu" | "memory" | "crashed" | "worker_lost" | "cancelled"; readonly result?: unknown; readonly error?: CodeError; readonly log: CodeLog; readonly durationMs: number; readonly memoryBytes: number | null; readonly triedToReach: TriedToReach; };

export type CodeError = { readonly name?: string; readonly message: string; readonly line?: number; readonly column?: number; readonly frame?: string; };

export type CodeLog = readonly ({ readonly time: Time; readonly level: "info" | "error"; readonly text: string; })[];

export type TriedToReach = readonly (string)[];

export type DryRun = { readonly dryRun: true; readonly outcome: "would_send" | "would_return" | "refused"; readonly error?: Error; readonly subject: { readonly type: "proxy" | "reactor"; readonly id?: Id; readonly version?: number; }; readonly caller: { readonly applicationId: Id; readonly type: string; }; readonly steps: readonly (DryRunStep)[]; readonly request?: { readonly method: string; readonly url: string; readonly headers: object; readonly body: string | null; }; readonly result?: unknown; };

export type DryRunStep = { readonly name: "resolve" | "authorize" | "detokenize" | "transform" | "egress"; readonly durationMs: number; readonly permission?: string; readonly rule?: DecidingRule; readonly expressions?: readonly ({ readonly expression: string; readonly place: string; readonly tokenId?: string; readonly container?: string; readonly rule?: DecidingRule; readonly decision?: "allowed" | "denied"; readonly reason?: string; readonly standIn?: unknown; })[]; readonly log?: CodeLog; readonly error?: CodeError; readonly changes?: readonly ({ readonly op: "add" | "remove" | "replace"; readonly path: string; readonly value?: unknown; })[]; readonly triedToReach?: TriedToReach; readonly host?: string; readonly allowed?: boolean; readonly reason?: string; };

export type DecidingRule = { readonly priority: number; };

export type TrafficReport = { readonly startDate: string; readonly endDate: string; readonly stepSeconds: 300 | 3600; readonly totals: { readonly requests: number; readonly errors: number; readonly refused: number; readonly killed: number; readonly leaks: number; readonly p50Ms?: number; readonly p99Ms?: number; }; readonly points: readonly ({ readonly at: string; readonly requests: number; readonly errors: number; readonly refused: number; readonly killed: number; readonly leaks: number; readonly p50Ms?: number; readonly p99Ms?: number; })[]; readonly publicationLagSeconds: number; };

export type EncryptionKeysReport = { readonly dataKeys: readonly ({ readonly version: number; readonly current: boolean; readonly createdAt: string; readonly seals?: number; })[]; readonly indexKeys: readonly ({ readonly version: number; readonly current: boolean; readonly createdAt: string; readonly seals?: number; })[]; readonly mostSeals: number; readonly dataKeyRotation?: { readonly version: number; }; readonly indexKeyRotation?: { readonly version: number; readonly phase: "announced" | "writing"; readonly remade: number; }; };

export type OperationsReport = { readonly startDate: Time; readonly endDate: Time; readonly totalOperations: number; readonly months: readonly ({ readonly year: number; readonly month: number; readonly totalOperations: number; readonly operations: readonly (OperationCount)[]; })[]; };

export type OperationCount = { readonly entityType: string; readonly operation: string; readonly purpose?: string; readonly count: number; };

export type UsageReport = { readonly totalTokens: number; readonly tokenReport: { readonly metricsByType: Readonly<Record<string, { readonly count: number; readonly lastCreatedAt: Time; }>>; readonly totalTokens: number; readonly includedMonthlyActiveTokens: number; readonly monthlyActiveTokens: number; readonly monthlyActiveTokenHistory: readonly ({ readonly year: number; readonly month: number; readonly count: number; })[]; }; };

export type SettingMarks = Readonly<Record<string, { readonly changed: boolean; }>>;

export type ProxyVersion = { readonly version: number; readonly createdAt: Time; readonly createdBy: Id; readonly comment?: string; readonly draft?: boolean; readonly definition: ProxyDefinition; };

export type RestoredProxyVersion = { readonly version: number; readonly createdAt: Time; readonly createdBy: Id; readonly comment?: string; readonly draft?: boolean; readonly definition?: ProxyDefinition; };

export type ReactorVersion = { readonly version: number; readonly createdAt: Time; readonly createdBy: Id; readonly comment?: string; readonly draft?: boolean; readonly definition: ReactorDefinition; };

export type RestoredReactorVersion = { readonly version: number; readonly createdAt: Time; readonly createdBy: Id; readonly comment?: string; readonly draft?: boolean; readonly definition?: ReactorDefinition; };

export type ReactorFormulaVersion = { readonly version: number; readonly createdAt: Time; readonly createdBy: Id; readonly comment?: string; readonly draft?: boolean; readonly definition: ReactorFormulaDefinition; };

export type RestoredReactorFormulaVersion = { readonly version: number; readonly createdAt: Time; readonly createdBy: Id; readonly comment?: string; readonly draft?: boolean; readonly definition?: ReactorFormulaDefinition; };

export type ProxyDefinition = { readonly name: ResourceName; readonly destinationUrl: string; readonly destinationTls?: DestinationTls; readonly requestTransform?: Transform; readonly responseTransform?: Transform; readonly requestTransforms?: TransformList; readonly responseTransforms?: TransformList; readonly configuration?: SettingMarks; readonly applicationId?: Id; readonly requireAuth: boolean; readonly disableDetokenization?: boolean; readonly timeout?: number; readonly responseGuard?: ResponseGuard; readonly allowedDestinations?: HostPatterns; };

export type ReactorDefinition = { readonly name: ResourceName; readonly formula?: Reference; readonly code?: SourceCode; readonly configuration: SettingMarks; readonly application?: Reference; readonly responseGuard?: ResponseGuard; readonly allowedDestinations?: HostPatterns; };

export type ReactorFormulaDefinition = { readonly type: "private"; readonly name: ResourceName; readonly description?: string; readonly icon?: string; readonly code: SourceCode; readonly configuration: readonly (SettingDeclaration)[]; readonly requestParameters: readonly (ParameterDeclaration)[]; };

export type WebhookDelivery = { readonly id: string; readonly eventType: string; readonly createdAt: string; readonly state: "waiting" | "delivered" | "retrying" | "failed"; readonly attempts: readonly ({ readonly at: string; readonly durationMs: number; readonly status?: number; readonly error?: string; })[]; };

export type WebhookEvent = "application.created" | "application.updated" | "application.deleted" | "application.key.created" | "application.key.deleted" | "application.use_limit" | "egress.violation" | "proxy.created" | "proxy.updated" | "proxy.deleted" | "proxy.invoked" | "proxy.response_leak" | "reactor.created" | "reactor.updated" | "reactor.deleted" | "reactor.invoked" | "reactor.completed" | "reactor.failed" | "reactor.response_leak" | "rollout.stopped" | "session.created" | "session.authorized" | "tenant.updated" | "tenant.invitation.created" | "tenant.invitation.updated" | "tenant.invitation.deleted" | "token.created" | "token.updated" | "token.read" | "token.revealed" | "token.deleted" | "token.expired" | "token.property.expired";

export type WebhookStatus = "enabled" | "disabled";

export type WebhookRequest = { readonly name: ResourceName; readonly url: string; readonly events: readonly (WebhookEvent)[]; readonly notifyEmail?: string | null; readonly status?: "enabled" | "disabled" | null; };

export type Webhook = { readonly id: Id; readonly tenantId: Id; readonly status: WebhookStatus; readonly name: ResourceName; readonly url: string; readonly notifyEmail?: string; readonly events: readonly (WebhookEvent)[]; readonly createdBy: Id; readonly createdAt: Time; readonly modifiedBy?: Id; readonly modifiedAt?: Time; };

export type WebhookSecret = string;

export type CreatedWebhook = { readonly id: Id; readonly tenantId: Id; readonly status: WebhookStatus; readonly name: ResourceName; readonly url: string; readonly notifyEmail?: string; readonly events: readonly (WebhookEvent)[]; readonly createdBy: Id; readonly createdAt: Time; readonly modifiedBy?: Id; readonly modifiedAt?: Time; readonly secret: WebhookSecret; };

export type RotatedWebhook = { readonly id: Id; readonly tenantId: Id; readonly status: WebhookStatus; readonly name: ResourceName; readonly url: string; readonly notifyEmail?: string; readonly events: readonly (WebhookEvent)[]; readonly createdBy: Id; readonly createdAt: Time; readonly modifiedBy?: Id; readonly modifiedAt?: Time; readonly secret: WebhookSecret; readonly previousSecretUntil: Time; };
