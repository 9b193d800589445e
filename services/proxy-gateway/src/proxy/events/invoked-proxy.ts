import type { ProxyRecord } from '@glovebox/published/records';

/** An invocation as far as it has come; noted for webhooks. */
export interface InvokedProxy {
  readonly proxy: ProxyRecord;
  /** The request was about to be sent there. */
  destination: string | undefined;
  /** Whose transforms are running. */
  transforming: 'request' | 'response' | undefined;
}

export function newInvocation(proxy: ProxyRecord): InvokedProxy {
  return { proxy, destination: undefined, transforming: undefined };
}
