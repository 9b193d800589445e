import type { Scope } from '../scope.ts';
import type { HostSocket } from './tcp.ts';

/** The parts of an agent that hold connections and requests, by what they are for. */
export interface AgentTables {
  requests: Record<string, { onSocket(socket: null, error: Error): void }[]>;
  sockets: object;
  freeSockets: object;
  totalSocketCount: number;
}

/** A client certificate and whom to trust, as it goes to the host: text or bytes of exact size. */
export interface Credentials {
  readonly ca?: unknown[];
  readonly cert?: unknown[];
  readonly key?: unknown[];
  readonly pfx?: unknown[];
  readonly passphrase?: string;
}

/** What is known of a socket with TLS before it connects. */
export interface Secured {
  readonly credentials: Credentials | undefined;
}

/** What the isolate's sockets have in common. */
export interface IsolateNetwork {
  readonly open: Set<HostSocket>;
  /** Agents that have been used in this invocation. */
  readonly agents: Set<AgentTables>;
  readonly secured: WeakMap<object, Secured>;
  /** Sockets of packages with a protocol of their own. It must be SSH, which the host checks. */
  readonly raw: WeakSet<object>;
  /** The state of a read or write that Node's library and its bindings share. */
  readonly streamState: {
    readonly state: Int32Array;
    readonly readBytes: number;
    readonly bufferOffset: number;
    readonly bytesWritten: number;
    readonly wasAsync: number;
  };
  readonly refusal: (message: string) => Error;
  /**
   * Nothing of this invocation is left for the next: neither connections nor requests that wait for one.
   * @returns whether there was any: callbacks for it run in the ticks that follow
   */
  readonly clear: () => boolean;
  /** Whether it is being cleared. */
  readonly isClearing: () => boolean;
}

export function makeNetwork({ load }: Pick<Scope, 'load'>): IsolateNetwork {
  const open = new Set<HostSocket>();
  const agents = new Set<AgentTables>();
  const attempt = (run: () => void) => {
    try {
      run();
    } catch {
      // It was user code's own; the host ends the connections in any case.
    }
  };
  let isClearing = false;
  return {
    open,
    agents,
    isClearing: () => isClearing,
    secured: new WeakMap(),
    raw: new WeakSet(),
    streamState: { state: new Int32Array(5), readBytes: 0, bufferOffset: 1, bytesWritten: 2, wasAsync: 3 },
    refusal: (message) => Object.assign(new Error(message), { code: 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM' }),
    clear() {
      if (open.size === 0 && agents.size === 0) return false;
      isClearing = true;
      const { symbols } = load('internal/async_hooks');
      for (const handle of open) {
        attempt(() => {
          handle[symbols.owner_symbol]?.destroy();
          handle.close();
        });
      }
      open.clear();
      for (const agent of agents) {
        attempt(() => {
          for (const request of Object.values(agent.requests).flat()) {
            request.onSocket(null, Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
          }
          const none = (): AgentTables['requests'] => Object.create(null);
          Object.assign(agent, {
            requests: none(),
            sockets: none(),
            freeSockets: none(),
            totalSocketCount: 0,
          });
        });
      }
      agents.clear();
      isClearing = false;
      return true;
    },
  };
}
