import type { AddressRefusal } from './check-address.ts';
import type { HostRefusal } from './check-host.ts';

/**
 * Why the guard did not let a connection be made; `self-connection`: the address and port are a listener of this
 * process.
 */
export type DenialReason = HostRefusal | AddressRefusal | 'self-connection';

/**
 * The guard refused to dial. Nothing was sent.
 *
 * `reason` and `address` are for the log: they would show a caller what an internal name resolves to.
 */
export class EgressDenied extends Error {
  override readonly name = 'EgressDenied';
  readonly code = 'EGRESS_DENIED';
  readonly reason: DenialReason;
  readonly hostname: string;
  /** The refused address; undefined when the URL itself was refused. */
  readonly address: string | undefined;

  constructor(reason: DenialReason, hostname: string, address?: string) {
    super(`egress to ${hostname} denied: ${reason}`);
    this.reason = reason;
    this.hostname = hostname;
    this.address = address;
  }
}

/** The step at which a connection failed. */
export type ConnectStage = 'dns' | 'connect' | 'tls';

/** No connection could be made, for a reason of the network or the destination (`cause`). Nothing was sent. */
export class EgressConnectFailed extends Error {
  override readonly name = 'EgressConnectFailed';
  readonly code = 'EGRESS_CONNECT_FAILED';
  readonly stage: ConnectStage;
  readonly hostname: string;

  constructor(stage: ConnectStage, hostname: string, cause: unknown) {
    super(`connecting to ${hostname} failed: ${stage}`, { cause });
    this.stage = stage;
    this.hostname = hostname;
  }
}

/** The cause of a connection that failed because the server's public key is none of those that are pinned. */
export class PinMismatch extends Error {
  override readonly name = 'PinMismatch';

  constructor() {
    super('the public key of the server matches no pin');
  }
}
