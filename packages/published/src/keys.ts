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

/** Where the names of an installation are. */
export interface RedisSpace {
  /** Start of every name, so that several installations can share a server without meeting. */
  readonly prefix: string;
  /** In a cluster, names of one script have the same tag, which puts them into one slot: `<prefix>:{<tag>}:…`. */
  readonly isCluster: boolean;
}

/** The names of an installation in Redis, all from here: whatever one command names has to be in one slot. */
export interface RedisNames {
  readonly isCluster: boolean;
  record(name: RecordName): string;
  /**
   * A session has the name that an application would have, in a place of its own: control-api can rebuild what it
   * publishes from its database at any time, and a session is in no database.
   */
  session(name: RecordName): string;
  /**
   * Kept while code may still run after a proxy or reactor has changed from this application to another: code
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
  uses(tenantId: string, applicationId: string): string;
  /** The tokens that an application with limits has used, as hashes, with the minute of their last use. */
  usedTokens(tenantId: string, applicationId: string): string;
  /** What the versions of a rollout have done; see rollout-figures.ts. */
  rolloutFigures(rolloutId: string): string;
  /** When the API keys of a tenant were last used, by their hashes; see key-uses.ts. */
  keyUses(tenantId: string): string;
  /** What a tenant's proxies, reactors and keys did within five minutes; see recent-counts.ts. @param step their number */
  recentCounts(tenantId: string, step: number): string;
  /** The latest invocations of a tenant's proxies and reactors, as outlines; see outline-store.ts. */
  invocations(tenantId: string): string;
  /** An asynchronous invocation, and the latest ones of a tenant; see async-requests.ts. */
  asyncRequest(tenantId: string, requestId: string): string;
  asyncRequests(tenantId: string): string;
  /** The asynchronous invocations without an outcome: of a tenant, and those of all that one script can see. */
  asyncOpenOf(tenantId: string): string;
  asyncOpen(tenantId: string): string;
  /** Those of all tenants in a cluster. */
  readonly asyncOpenOfAll: string;
  /** What a tenant's asynchronous invocations take: when each ends, and its bytes. */
  asyncKept(tenantId: string): string;
  asyncSizes(tenantId: string): string;
  /** Start of BullMQ's names for a queue. */
  queue(name: string): string;
  /** Deliveries that wait: of an endpoint, and of all. */
  deliveriesOpenOf(endpoint: string): string;
  readonly deliveriesOpen: string;
  /** The latest deliveries of a webhook in their order, and what became of each; see delivery-store.ts. */
  deliveries(webhookId: string): string;
  deliveryRecords(webhookId: string): string;
  /** In what the results of its versions differ; see shadow-figures.ts. */
  rolloutDifferences(rolloutId: string): string;
  /** Holds the fencing token of the publisher that may write; the writes of any other are refused. */
  readonly turn: string;
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

/** @param space a text: the prefix on one server */
export function redisNames(space: string | RedisSpace): RedisNames {
  const { prefix, isCluster } = typeof space === 'string' ? { prefix: space, isCluster: false } : space;
  const tagged = (tag: string, name: string) =>
    isCluster ? `${prefix}:{${tag}}:${name}` : `${prefix}:${name}`;
  // A marker says that all records are there: they are in one slot, so that they live and die together.
  const published = (name: string) => tagged('published', name);
  const sessions = (name: string) => tagged('sessions', name);
  const events = (name: string) => tagged('events', name);
  return {
    isCluster,
    record: (name) => published(`record:${name}`),
    session: (name) => sessions(`session:${name}`),
    formerApplication: (owner, applicationId) => published(`former-application:${owner}:${applicationId}`),
    sessionNonce: (nonceHash) => sessions(`session-nonce:${nonceHash}`),
    waitingSessions: (applicationId) => sessions(`sessions-waiting:${applicationId}`),
    liveSessions: (tenantId) => sessions(`sessions-live:${tenantId}`),
    uses: (tenantId, applicationId) => tagged(tenantId, `uses:${applicationId}`),
    usedTokens: (tenantId, applicationId) => tagged(tenantId, `used-tokens:${applicationId}`),
    rolloutFigures: (rolloutId) => tagged(rolloutId, `rollout-figures:${rolloutId}`),
    keyUses: (tenantId) => tagged(tenantId, `key-uses:${tenantId}`),
    recentCounts: (tenantId, step) => tagged(tenantId, `recent-counts:${tenantId}:${step}`),
    invocations: (tenantId) => tagged(tenantId, `invocations:${tenantId}`),
    asyncRequest: (tenantId, requestId) => tagged(tenantId, `async:request:${requestId}`),
    asyncRequests: (tenantId) => tagged(tenantId, `async:requests:${tenantId}`),
    asyncOpenOf: (tenantId) => tagged(tenantId, `async:open:${tenantId}`),
    asyncOpen: (tenantId) => tagged(tenantId, 'async:open'),
    asyncOpenOfAll: tagged('async', 'async:open'),
    asyncKept: (tenantId) => tagged(tenantId, `async:kept:${tenantId}`),
    asyncSizes: (tenantId) => tagged(tenantId, `async:sizes:${tenantId}`),
    queue: (name) => tagged(name, 'bull'),
    deliveriesOpenOf: (endpoint) => tagged('deliveries', `deliveries:open:${endpoint}`),
    deliveriesOpen: tagged('deliveries', 'deliveries:open'),
    deliveries: (webhookId) => tagged(webhookId, `deliveries:${webhookId}`),
    deliveryRecords: (webhookId) => tagged(webhookId, `delivery-records:${webhookId}`),
    rolloutDifferences: (rolloutId) => tagged(rolloutId, `rollout-differences:${rolloutId}`),
    turn: published('turn'),
    allRecords: published('record:*'),
    marker: published('marker'),
    signedMarker: published('signed-marker'),
    changes: `${prefix}:changes`,
    events: events('events'),
    eventsTaken: events('events-taken'),
    eventsOfTenants: events('events-of-tenants'),
  };
}
