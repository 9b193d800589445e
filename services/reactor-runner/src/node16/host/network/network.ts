import type { ClientCredentials, CredentialPart } from '@glovebox/egress/client-context';

import type { NetworkOptions } from '../../../worker-protocol/worker-options.ts';
import { BadOperation, type Operations, bytes, exact, integer, oneOf, text } from '../arguments.ts';
import type { JobTable } from '../jobs.ts';
import { Connection, maxPieceBytes } from './connection.ts';
import type { Dial, Outbound } from './outbound.ts';
import type { CheckPlace } from './reach-check.ts';
import { Slots } from './slots.ts';
import { type Target, normalisedHost, placeOf } from './target.ts';
import { connectError, limitError, notAllowed, notFound } from './user-error.ts';

interface Handle {
  readonly target: Target;
  readonly dial: Dial;
  readonly ended: AbortController;
  isStarted: boolean;
  connection: Connection | undefined;
}

const maxHostLength = 1000;
/** Of a client certificate with its key and what it trusts. */
const maxCredentialBytes = 256 * 1024;
const maxCredentialParts = 100;

/** The connections of one isolate. All of them end with the invocation. */
export class Network {
  readonly #outbound: Outbound | undefined;
  readonly #checkPlace: CheckPlace;
  readonly #onEffect: () => void;
  #handles = new Map<unknown, Handle>();
  #slots: Slots;
  #lastId = 0;
  #opened = 0;
  #received = 0;
  #sent = 0;

  /**
   * @param outbound undefined: nothing can be reached.
   * @param checkPlace checks each host before it is looked up
   * @param onEffect called before a name is resolved or a connection made
   */
  constructor(outbound: Outbound | undefined, checkPlace: CheckPlace, onEffect: () => void) {
    this.#outbound = outbound;
    this.#checkPlace = checkPlace;
    this.#onEffect = onEffect;
    this.#slots = new Slots(outbound?.options.connectionsAtOnce ?? 0);
  }

  operations(): Operations {
    return {
      'net.open': (protocol, host, port, credentials) => this.#open(protocol, host, port, credentials),
      'net.certificate': (id) => this.#handles.get(id)?.connection?.certificate(),
      'net.close': (id) => this.#close(id),
    };
  }

  jobs(): JobTable {
    return {
      'net.connect': async (id) => this.#connect(this.#get(id)),
      'net.read': async (id) => this.#read(this.#get(id)),
      'net.write': async (id, piece) => this.#write(this.#get(id), bytes(piece, maxPieceBytes)),
      'net.end': async (id) => this.#get(id).connection?.end(),
    };
  }

  endInvocation(): void {
    if (this.#lastId === 0) return;
    for (const id of this.#handles.keys()) this.#close(id);
    this.#slots = new Slots(this.#slots.size);
    this.#opened = 0;
    this.#received = 0;
    this.#sent = 0;
  }

  /** A handle exists only if there is a network. */
  get #options(): NetworkOptions {
    return this.#outbound!.options;
  }

  #open(protocol: unknown, host: unknown, port: unknown, credentials: unknown): number {
    const written = text(host, maxHostLength);
    const target = {
      protocol: oneOf(protocol, ['http:', 'https:', 'ssh:'] as const),
      hostname: normalisedHost(written),
      port: integer(port, 0, 65_535),
    };
    if (this.#outbound === undefined) throw limitError('There is no network here.');
    const { connections } = this.#outbound.options;
    if (this.#opened >= connections)
      throw limitError(`More than ${connections} connections in one invocation.`);
    const { hostname } = target;
    if (hostname === undefined) throw notFound(written);
    const named = { ...target, hostname };
    const refusal = this.#checkPlace(placeOf(named));
    if (refusal !== undefined) throw notAllowed(refusal, named);
    this.#onEffect();
    const given = credentialsOf(credentials);
    const dial = given === undefined ? this.#outbound.dial : this.#outbound.dialWith(given);
    this.#opened += 1;
    this.#lastId += 1;
    this.#handles.set(this.#lastId, {
      target: named,
      dial,
      ended: new AbortController(),
      isStarted: false,
      connection: undefined,
    });
    return this.#lastId;
  }

  async #connect(handle: Handle): Promise<Record<string, unknown>> {
    const { target, ended } = handle;
    const { signal } = ended;
    if (handle.isStarted) throw new BadOperation('the connection was requested already');
    handle.isStarted = true;
    const release = await this.#slots.take(signal, this.#options.connectTimeoutMs);
    try {
      handle.connection = new Connection(await handle.dial(target, signal));
    } catch (error) {
      release();
      throw connectError(error, target);
    }
    signal.addEventListener('abort', release, { once: true });
    return handle.connection.describe();
  }

  async #read({ connection, ended }: Handle): Promise<Uint8Array | undefined> {
    const piece = await connection?.read();
    if (piece === undefined || ended.signal.aborted) return undefined;
    const { receivedBytes } = this.#options;
    this.#received += piece.length;
    if (this.#received <= receivedBytes) return exact(piece);
    connection?.destroy();
    throw limitError(`More than ${receivedBytes} bytes were received in one invocation.`);
  }

  async #write({ connection }: Handle, piece: Uint8Array): Promise<void> {
    const { sentBytes } = this.#options;
    this.#sent += piece.length;
    if (this.#sent <= sentBytes) return connection?.write(piece);
    connection?.destroy();
    throw limitError(`More than ${sentBytes} bytes were sent in one invocation.`);
  }

  #get(id: unknown): Handle {
    const handle = this.#handles.get(id);
    if (handle === undefined) throw new BadOperation('there is no such connection');
    return handle;
  }

  #close(id: unknown): void {
    const handle = this.#handles.get(id);
    this.#handles.delete(id);
    handle?.ended.abort();
    handle?.connection?.destroy();
  }
}

/** What the isolate says of a client certificate and of whom it trusts; undefined for nothing. */
function credentialsOf(given: unknown): ClientCredentials | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== 'object' || given === null) throw new BadOperation('expected credentials');
  const { ca, cert, key, pfx, passphrase }: Record<string, unknown> = { ...given };
  let room = maxCredentialBytes;
  const parts = (value: unknown): CredentialPart[] => {
    if (!Array.isArray(value) || value.length > maxCredentialParts)
      throw new BadOperation('there are too many certificates');
    return value.map((part: unknown) => {
      const taken = typeof part === 'string' ? text(part, room) : Buffer.from(bytes(part, room));
      room -= taken.length;
      return taken;
    });
  };
  return {
    ...(ca === undefined ? {} : { ca: parts(ca) }),
    ...(cert === undefined ? {} : { cert: parts(cert) }),
    ...(key === undefined ? {} : { key: parts(key) }),
    ...(pfx === undefined ? {} : { pfx: parts(pfx) }),
    ...(passphrase === undefined ? {} : { passphrase: text(passphrase, 1000) }),
  };
}
