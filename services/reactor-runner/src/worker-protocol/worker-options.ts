import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import type { ListenerAddress } from '@glovebox/egress/own-listeners';

import type { BtRequestLimits } from './messages.ts';

/** What tenants' code may reach, and how much of it one invocation may have. Plain data. */
export interface NetworkOptions {
  readonly policy: EgressPolicy;
  /** Listeners of the platform itself, which are never dialled. */
  readonly ownListeners: readonly ListenerAddress[];
  /** A file of PEM certificates that are trusted on top of Node's own. */
  readonly caFile?: string;
  /** For resolving, connecting and the TLS handshake, and for the wait for a free connection before. */
  readonly connectTimeoutMs: number;
  /** Of one invocation, open at once; more wait. */
  readonly connectionsAtOnce: number;
  /** Of one invocation in all. */
  readonly connections: number;
  /** Of one invocation's connections together, without TLS. */
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

/** Limits of one isolate and of the invocations in it. */
export interface EngineLimits extends BtRequestLimits {
  readonly memoryMb: number;
  /** Processor time of one invocation, in milliseconds. */
  readonly cpuMs: number;
  /** Of a result's JSON text, in characters. */
  readonly resultLength: number;
  /** Of what one invocation logs, in characters. */
  readonly logLength: number;
  /** The same in lines. */
  readonly logLines: number;
  /** Of one request by `bt`, and of its answer. */
  readonly btRequestBytes: number;
}

/** The options of a worker process, as JSON on its command line. None is secret. */
export interface WorkerOptions extends EngineLimits {
  /** Of an argument's JSON text. */
  readonly argumentBytes: number;
  /** All of the process; beyond it the runner ends it. */
  readonly processMemoryMb: number;
  /** Isolates that exist at once, whether they serve a call or wait for one. */
  readonly isolates: number;
  /** Node's library and the environment, as prepareLibrary gives them; absent: code that uses any of it fails. */
  readonly libraryFile?: string;
  /** The npm packages for user code, as preparePackages gives them; absent: there are none. */
  readonly packagesFile?: string;
  readonly network: NetworkOptions;
  /** Its code can reach nothing. */
  readonly offline?: boolean;
  /** After so many invocations an isolate is replaced. */
  readonly runsPerIsolate: number;
  /** User and group that the process turns itself into; absent: it stays who it is. */
  readonly uid?: number;
  /** Whether it keeps what it has compiled for the next, before it gives up its privileges. */
  readonly flushesCompileCache?: boolean;
}

/** The file descriptor of the channel to the runner. */
export const channelFd = 3;

/** Of a log's JSON text: six bytes for a character that is escaped, and what surrounds each line. */
export function maxLogBytes({ logLength, logLines }: Pick<EngineLimits, 'logLength' | 'logLines'>): number {
  return 6 * logLength + 100 * (logLines + 1);
}

/** Room for what a message holds beside its body. */
export function maxFrameBytes(bodyBytes: number): number {
  return bodyBytes + 1024;
}
