import type { ListenerAddress } from './own-listeners.ts';
import type { SettingsReader } from './read-allowed.ts';

/**
 * `EGRESS_DENY_LOCAL_PORTS`: ports of this machine that stay closed where this machine is open, in development. As
 * listeners, so that they are refused as this process' own are. Notes what is no port.
 */
export function readDeniedPorts(reader: SettingsReader): readonly ListenerAddress[] {
  const ports = reader.list('EGRESS_DENY_LOCAL_PORTS');
  if (ports.some((port) => !/^\d{1,5}$/.test(port)))
    reader.problem('EGRESS_DENY_LOCAL_PORTS must be a list of ports');
  return ports.map((port) => ({ address: '0.0.0.0', port: Number(port) }));
}
