import { networkInterfaces } from 'node:os';

import { addressKey, parseAddress } from './parse-address.ts';

/** Where this process listens, as `server.address()` gives it; or any other address and port that leads back to it. */
export interface ListenerAddress {
  readonly address: string;
  readonly port: number;
}

function sameAddress(left: string, right: string): boolean {
  const [one, other] = [parseAddress(left), parseAddress(right)];
  return one !== undefined && other !== undefined && addressKey(one) === addressKey(other);
}

function isThisMachine(address: string): boolean {
  if (parseAddress(address)?.range() === 'loopback') return true;
  return Object.values(networkInterfaces()).some((entries) =>
    entries?.some((entry) => sameAddress(entry.address, address)),
  );
}

/**
 * True when dialling this address and port would reach one of the listeners. A listener on the unspecified address
 * (`0.0.0.0`, `::`) is reached through every address of this machine.
 */
export function reachesListener(
  listeners: readonly ListenerAddress[],
  address: string,
  port: number,
): boolean {
  return listeners.some((listener) => {
    if (listener.port !== port) return false;
    const everywhere = parseAddress(listener.address)?.range() === 'unspecified';
    return everywhere ? isThisMachine(address) : sameAddress(listener.address, address);
  });
}
