/**
 * Where each published record lives in Redis. A record's key never holds a credential: API keys and proxy keys
 * are in it as the SHA-256 (hex) of the key.
 */

export type RecordName =
  | `proxy:${string}`
  | `proxy-id:${string}`
  | `proxy-rollout:${string}`
  | `application:${string}`
  | `application-id:${string}`
  | `tenant:${string}`
  | `reactor:${string}`
  | `reactor-rollout:${string}`
  | `webhooks:${string}`;

export const proxyRecord = (proxyKeyHash: string): RecordName => `proxy:${proxyKeyHash}`;
/** The tenant of a proxy, by the id of the proxy. */
export const proxyIdRecord = (proxyId: string): RecordName => `proxy-id:${proxyId}`;
/** The rollout of a proxy: a second version of it. */
export const proxyRolloutRecord = (proxyKeyHash: string): RecordName => `proxy-rollout:${proxyKeyHash}`;
export const applicationRecord = (apiKeyHash: string): RecordName => `application:${apiKeyHash}`;
/** The same record by the application's id: user code acts as an application without holding its key. */
export const applicationIdRecord = (applicationId: string): RecordName => `application-id:${applicationId}`;
export const tenantRecord = (tenantId: string): RecordName => `tenant:${tenantId}`;
export const reactorRecord = (reactorId: string): RecordName => `reactor:${reactorId}`;
/** The rollout of a reactor: a second version of it. */
export const reactorRolloutRecord = (reactorId: string): RecordName => `reactor-rollout:${reactorId}`;
/** All webhooks of a tenant in one record, so that an emitter asks once. */
export const webhooksRecord = (tenantId: string): RecordName => `webhooks:${tenantId}`;

/** Announced in place of a name when any record may have changed, as after a rebuild. */
export const anyRecord = '*';

/** Redis names under one prefix, so that several installations can share a server without meeting. */
export interface RedisNames {
  record(name: RecordName): string;
  /**
   * A session has the name that an application would have, in a place of its own: control-api can rebuild what it
   * publishes from its database at any time, and a session is in no database.
   */
  session(name: RecordName): string;
  /**
   * Present for as long as code may run after a proxy or reactor has named this application and names it no more: code
   * that began before goes on acting as it.
   */
  formerApplication(owner: RecordName, applicationId: string): string;
  /** By which a session that waits to be authorized is found. */
  sessionNonce(nonceHash: string): string;
  /** The sessions of an application that wait to be authorized. */
  waitingSessions(applicationId: string): string;
  /** All sessions of a tenant. */
  liveSessions(tenantId: string): string;
  /** How many uses an application with limits has made, by minute. */
  uses(applicationId: string): string;
  /** The tokens that an application with limits has used, as hashes, with the minute of their last use. */
  usedTokens(applicationId: string): string;
  /** What the versions of a rollout have done; see rollout-figures.ts. */
  rolloutFigures(rolloutId: string): string;
  /** When the API keys of a tenant were last used, by their hashes; see key-uses.ts. */
  keyUses(tenantId: string): string;
  /** What a tenant's proxies, reactors and keys did within five minutes; see recent-counts.ts. @param step their number */
  recentCounts(tenantId: string, step: number): string;
  /** The latest invocations of a tenant's proxies and reactors, as outlines; see outline-store.ts. */
  invocations(tenantId: string): string;
  /** An asynchronous invocation, and the latest ones of a tenant; see async-requests.ts. */
  asyncRequest(requestId: string): string;
  asyncRequests(tenantId: string): string;
  /** The latest deliveries of a webhook in their order, and what became of each; see delivery-store.ts. */
  deliveries(webhookId: string): string;
  deliveryRecords(webhookId: string): string;
  /** In what the results of its versions differ; see shadow-figures.ts. */
  rolloutDifferences(rolloutId: string): string;
  /** Pattern of all records, for SCAN. */
  readonly allRecords: string;
  /** Present only while the projection is whole; see marker.ts. */
  readonly marker: string;
  /** The same with a signature, which readers go by. */
  readonly signedMarker: string;
  /** Channel on which the names of changed records are announced, separated by line feeds. */
  readonly changes: string;
  /** Events that wait to be delivered; see event-inbox.ts. */
  readonly events: string;
  readonly eventsTaken: string;
  readonly eventsOfTenants: string;
}

export function redisNames(prefix: string): RedisNames {
  return {
    record: (name) => `${prefix}:record:${name}`,
    session: (name) => `${prefix}:session:${name}`,
    formerApplication: (owner, applicationId) => `${prefix}:former-application:${owner}:${applicationId}`,
    sessionNonce: (nonceHash) => `${prefix}:session-nonce:${nonceHash}`,
    waitingSessions: (applicationId) => `${prefix}:sessions-waiting:${applicationId}`,
    liveSessions: (tenantId) => `${prefix}:sessions-live:${tenantId}`,
    uses: (applicationId) => `${prefix}:uses:${applicationId}`,
    usedTokens: (applicationId) => `${prefix}:used-tokens:${applicationId}`,
    rolloutFigures: (rolloutId) => `${prefix}:rollout-figures:${rolloutId}`,
    keyUses: (tenantId) => `${prefix}:key-uses:${tenantId}`,
    recentCounts: (tenantId, step) => `${prefix}:recent-counts:${tenantId}:${step}`,
    invocations: (tenantId) => `${prefix}:invocations:${tenantId}`,
    asyncRequest: (requestId) => `${prefix}:async:request:${requestId}`,
    asyncRequests: (tenantId) => `${prefix}:async:requests:${tenantId}`,
    deliveries: (webhookId) => `${prefix}:deliveries:${webhookId}`,
    deliveryRecords: (webhookId) => `${prefix}:delivery-records:${webhookId}`,
    rolloutDifferences: (rolloutId) => `${prefix}:rollout-differences:${rolloutId}`,
    allRecords: `${prefix}:record:*`,
    marker: `${prefix}:marker`,
    signedMarker: `${prefix}:signed-marker`,
    changes: `${prefix}:changes`,
    events: `${prefix}:events`,
    eventsTaken: `${prefix}:events-taken`,
    eventsOfTenants: `${prefix}:events-of-tenants`,
  };
}
