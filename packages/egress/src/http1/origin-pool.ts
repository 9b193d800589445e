import { EgressConnectFailed } from '../egress-errors.ts';
import type { GuardedConnector } from '../guarded-connector.ts';
import { Connection, type ConnectionOwner } from './connection.ts';
import type { DispatchedRequest, RequestPlace } from './dispatched-request.ts';
import type { Sweep, Timed } from './sweep.ts';
import type { WriteTurns } from './write-turns.ts';

export interface PoolSettings {
  readonly connect: GuardedConnector;
  readonly turns: WriteTurns;
  readonly sweep: Sweep;
  /** All in milliseconds, as those of GuardedDispatcherOptions. */
  readonly keepAliveMs: number;
  readonly keepAliveMaxMs: number;
  readonly maxConnections: number;
  /** How long a request waits for a connection. */
  readonly maxWaitMs: number;
}

/** Connections that are made at once: after a stall not all requests that wait dial. */
const maxDials = 16;
/** Requests that wait, for each connection that there may be. */
const maxWaitingPerConnection = 64;

/** The connections to one origin, and the requests that wait for one. */
export class OriginPool implements ConnectionOwner, RequestPlace, Timed {
  readonly #origin: URL;
  readonly #settings: PoolSettings;
  readonly #onUnused: () => void;
  readonly #connections = new Set<Connection>();
  /** The one that was used last is used next, so that the others come of age. */
  readonly #idle: Connection[] = [];
  /** In order, with the time until which each waits; those that come back from a connection are before them. */
  readonly #waiting = new Map<DispatchedRequest, number>();
  readonly #returned: DispatchedRequest[] = [];
  #dials = 0;
  #isClosed = false;

  constructor(origin: URL, settings: PoolSettings, onUnused: () => void) {
    this.#origin = origin;
    this.#settings = settings;
    this.#onUnused = onUnused;
  }

  /** With a port that is not the scheme's. */
  get host(): string {
    return this.#origin.host;
  }

  get turns(): WriteTurns {
    return this.#settings.turns;
  }

  get sweep(): Sweep {
    return this.#settings.sweep;
  }

  get keepAliveMs(): number {
    return this.#settings.keepAliveMs;
  }

  get keepAliveMaxMs(): number {
    return this.#settings.keepAliveMaxMs;
  }

  /** Sends the request as soon as there is a connection. */
  add(request: DispatchedRequest): void {
    const connection = this.#takeIdle();
    if (connection !== undefined) return connection.assign(request);
    if (this.#waiting.size >= this.#settings.maxConnections * maxWaitingPerConnection) {
      return request.fail(this.#noneFree('too many requests wait for a connection'));
    }
    if (this.#waiting.size === 0) this.sweep.add(this);
    this.#waiting.set(request, this.sweep.deadlineAfter(this.#settings.maxWaitMs));
    request.place = this;
    this.#dialMore();
  }

  #takeIdle(): Connection | undefined {
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
      if (!connection.isStale) return connection;
      connection.destroy();
    }
    return undefined;
  }

  release(connection: Connection): void {
    const next = this.#next();
    if (next !== undefined) return connection.assign(next);
    connection.becomeIdle();
    this.#idle.push(connection);
  }

  remove(connection: Connection): void {
    this.#connections.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#dialMore();
    this.#leaveIfUnused();
  }

  requeue(request: DispatchedRequest): void {
    const connection = this.#takeIdle();
    if (connection !== undefined) return connection.assign(request);
    request.place = this;
    this.#returned.push(request);
    this.#dialMore();
  }

  leave(request: DispatchedRequest): void {
    const at = this.#returned.indexOf(request);
    if (at >= 0) this.#returned.splice(at, 1);
    else this.#forget(request);
    this.#leaveIfUnused();
  }

  /** There is nothing to resume as long as a request waits. */
  resume(): void {}

  check(now: number): void {
    for (const [request, deadline] of this.#waiting) {
      if (deadline > now) return;
      request.fail(this.#noneFree('no connection became free in time'));
    }
  }

  /** Closes all connections; nothing waits any more. */
  destroy(): void {
    this.#isClosed = true;
    for (const connection of this.#connections) connection.destroy();
  }

  #next(): DispatchedRequest | undefined {
    const returned = this.#returned.shift();
    if (returned !== undefined) return returned;
    const [next] = this.#waiting.keys();
    if (next !== undefined) this.#forget(next);
    return next;
  }

  #forget(request: DispatchedRequest): void {
    this.#waiting.delete(request);
    if (this.#waiting.size === 0) this.sweep.delete(this);
  }

  #dialMore(): void {
    const room = Math.min(maxDials, this.#settings.maxConnections - this.#connections.size);
    const wanted = Math.min(room, this.#waiting.size + this.#returned.length);
    while (this.#dials < wanted) this.#dial();
  }

  #dial(): void {
    const { host, hostname, protocol, port } = this.#origin;
    this.#dials += 1;
    const target = { host, hostname: hostname.replace(/^\[|\]$/g, ''), protocol, port };
    this.#settings.connect(target, (error, socket) => {
      this.#dials -= 1;
      if (error !== null) this.#next()?.fail(error);
      else if (this.#isClosed) socket.destroy().on('error', () => undefined);
      else {
        const connection = new Connection(socket, this);
        this.#connections.add(connection);
        this.release(connection);
      }
      this.#dialMore();
      this.#leaveIfUnused();
    });
  }

  #leaveIfUnused(): void {
    if (this.#connections.size + this.#dials + this.#waiting.size + this.#returned.length === 0)
      this.#onUnused();
  }

  #noneFree(why: string): EgressConnectFailed {
    return new EgressConnectFailed('connect', this.#origin.hostname, new Error(why));
  }
}
