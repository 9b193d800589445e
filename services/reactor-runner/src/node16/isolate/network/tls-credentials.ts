import { exactBytes } from '../bridge.ts';
import type { Credentials } from './network.ts';

/**
 * What of `tls.connect`'s options goes to the host: a client certificate and whom to trust.
 *
 * @param contexts the options that secure contexts were made with.
 */
export function makeCredentials(
  contexts: WeakMap<object, Record<string, unknown>>,
): (options: Record<string, unknown>) => Credentials | undefined {
  const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
  const exact = (part: unknown) =>
    ArrayBuffer.isView(part) || part instanceof ArrayBuffer ? exactBytes(part) : String(part);

  return (options) => {
    const { secureContext } = options;
    const context =
      typeof secureContext === 'object' && secureContext !== null ? contexts.get(secureContext) : undefined;
    const all: Record<string, unknown> = { ...context, ...options };
    const parts: Record<string, unknown> = {};
    let { passphrase } = all;
    for (const name of ['ca', 'cert', 'key', 'pfx']) {
      if (all[name] === undefined || all[name] === null) continue;
      parts[name] = listOf(all[name]).map((part) => {
        // `key` and `pfx` may be lists of objects, each with a passphrase of its own.
        const { pem, buf, passphrase: own }: Record<string, unknown> = Object(part);
        if (pem === undefined && buf === undefined) return exact(part);
        passphrase = own ?? passphrase;
        return exact(pem ?? buf);
      });
    }
    if (Object.keys(parts).length === 0) return undefined;
    return { ...parts, ...(typeof passphrase === 'string' ? { passphrase } : {}) };
  };
}
