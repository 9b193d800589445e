import { makeStructuredClone } from '../node/structured-clone.ts';
import type { Scope } from '../scope.ts';

/** One end of a channel. */
interface End {
  /** Its MessagePort; a new one after a transfer. */
  holder: Port;
  peer: End | undefined;
  /** Messages that are not delivered yet. `close`: the other end was closed. */
  readonly queue: (Message | 'close')[];
  isReceiving: boolean;
  isReferred: boolean;
  isOpen: boolean;
}

interface Message {
  readonly data: unknown;
  readonly ports: readonly object[];
}

/** A MessagePort: the native class calls methods of it by symbols that the library knows. */
interface Port {
  [hook: symbol]: (() => void) | undefined;
}

/** `internalBinding('messaging')`: channels between two places of one isolate; the library makes MessagePort of them. */
export function messagingBinding({ load }: Scope, symbols: Readonly<Record<string, symbol>>): object {
  const ends = new WeakMap<object, End>();
  const { DOMException } = load('internal/per_context/domexception');
  // Much of the library asks for this binding, and for nothing of it but the exception.
  const soon = (run: () => void) => load('timers').setImmediate(run);
  const hook = (port: Port, name: string) => port[symbols[name]!]?.();

  function MessagePort(): never {
    return refuseMessage('ERR_CONSTRUCT_CALL_INVALID', 'Constructor cannot be called');
  }

  function MessageChannel(this: object): void {
    if (new.target === undefined)
      refuseMessage('ERR_CONSTRUCT_CALL_REQUIRED', 'Cannot call constructor without `new`');
    const [port1, port2] = [makePort(), makePort()];
    endOf(port1).peer = endOf(port2);
    endOf(port2).peer = endOf(port1);
    Object.assign(this, { port1, port2 });
  }

  function makePort(known?: End): Port {
    const holder: Port = Object.create(MessagePort.prototype);
    const end = known ?? {
      holder,
      peer: undefined,
      queue: [],
      isReceiving: false,
      isReferred: true,
      isOpen: true,
    };
    ends.set(holder, Object.assign(end, { holder, isReceiving: false }));
    hook(holder, 'oninit');
    return holder;
  }

  function endOf(port: object): End {
    const end = ends.get(port);
    if (end === undefined) throw new TypeError('Illegal invocation');
    return end;
  }

  const isPort = (value: object) => ends.get(value)?.isOpen === true;

  /** Delivers one message; what a run leaves is delivered with the next message. */
  function deliver(end: End): void {
    const next = end.queue[0];
    if (!end.isOpen || next === undefined || !(end.isReceiving || next === 'close')) return;
    end.queue.shift();
    if (end.queue.length > 0) soon(() => deliver(end));
    if (next === 'close') return close(end);
    const { emitMessage } = load('internal/per_context/messageport');
    Reflect.apply(emitMessage, end.holder, [next.data, next.ports, 'message']);
  }

  function close(end: End): void {
    if (!end.isOpen) return;
    end.isOpen = false;
    end.peer = undefined;
    hook(end.holder, 'handle_onclose');
  }

  function put(end: End, message: Message | 'close'): void {
    end.queue.push(message);
    soon(() => deliver(end));
  }

  /** Transfers a port or a buffer; the original is of no use afterwards. */
  function transfer(one: object): object {
    if (one instanceof ArrayBuffer) return one.transfer();
    const end = endOf(one);
    ends.set(one, { ...end, queue: [], peer: undefined, isOpen: false });
    return makePort(end);
  }

  function check(source: object, list: readonly object[]): void {
    for (const [at, one] of list.entries()) {
      const isBuffer = one instanceof ArrayBuffer;
      if (!isBuffer && !isPort(one))
        refuseMessage('ERR_INVALID_TRANSFER_OBJECT', 'Found invalid object in transferList');
      if (one === source) throw new DOMException('Transfer list contains source port', 'DataCloneError');
      if (list.indexOf(one) < at) {
        const what = isBuffer ? 'ArrayBuffer' : 'MessagePort';
        throw new DOMException(`Transfer list contains duplicate ${what}`, 'DataCloneError');
      }
    }
  }

  /** A port in a message must be in its transfer list. */
  function refusePort(value: object): void {
    if (!ends.has(value)) return;
    refuseMessage(
      'ERR_MISSING_TRANSFERABLE_IN_TRANSFER_LIST',
      'Object that needs transfer was found in message but not listed in transferList',
    );
  }

  const methods = {
    postMessage(this: object, ...args: [unknown?, unknown?]) {
      const { peer } = endOf(this);
      if (args.length === 0)
        refuseMessage('ERR_MISSING_ARGS', 'Not enough arguments to MessagePort.postMessage');
      const list = transferListOf(args[1]);
      check(this, list);
      const clone = makeStructuredClone(load);
      // Nothing changes hands unless the whole message can be copied.
      if (list.length > 0)
        clone(args[0], { moved: new Map(list.map((one) => [one, one])), check: refusePort });
      const moved = new Map(list.map((one) => [one, transfer(one)]));
      const data = clone(args[0], { moved, check: refusePort });
      if (peer === undefined) return undefined;
      put(peer, { data, ports: [...moved.values()].filter(isPort) });
      return true;
    },
    start(this: object) {
      const end = endOf(this);
      end.isReceiving = true;
      if (end.queue.length > 0) soon(() => deliver(end));
    },
    close(this: object) {
      const end = endOf(this);
      soon(() => {
        const { peer } = end;
        close(end);
        if (peer !== undefined) put(peer, 'close');
      });
    },
    ref(this: object) {
      endOf(this).isReferred = true;
    },
    unref(this: object) {
      endOf(this).isReferred = false;
    },
    hasRef(this: object) {
      const { isOpen, isReferred } = endOf(this);
      return isOpen ? isReferred : undefined;
    },
  };
  const shown = { writable: true, enumerable: true, configurable: true };
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(MessagePort.prototype, name, { ...shown, value });
  }
  return {
    MessagePort,
    MessageChannel,
    DOMException,
    JSTransferable: class JSTransferable {},
    setDeserializerCreateObjectFunction() {},
    checkMessagePort: isPort,
    stopMessagePort(port: object) {
      endOf(port).isReceiving = false;
    },
  };
}

export function refuseMessage(code: string, message: string): never {
  throw Object.assign(new TypeError(message), { code });
}

/** The transfer list of `postMessage`. */
export function transferListOf(given: unknown): object[] {
  const isList = (value: unknown): value is Iterable<object> =>
    typeof value === 'object' && value !== null && Symbol.iterator in value;
  if (given === undefined || given === null) return [];
  const invalid = (what: string) =>
    refuseMessage('ERR_INVALID_ARG_TYPE', `Optional ${what} argument must be an iterable`);
  if (typeof given !== 'object') return invalid('transferList');
  if (isList(given)) return [...given];
  const transfer: unknown = 'transfer' in given ? given.transfer : undefined;
  if (transfer === undefined) return [];
  return isList(transfer) ? [...transfer] : invalid('options.transfer');
}
