import type { Auditable } from './page.ts';

/** A Node.js 16 module that exports a function of `req`. */
export interface ProxyTransform {
  readonly code: string;
}

export interface Proxy extends Auditable {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  /** Names the proxy to whoever invokes it. */
  readonly key: string;
  readonly destinationUrl: string;
  readonly requestTransform?: ProxyTransform;
  readonly responseTransform?: ProxyTransform;
  /** Its keys are not converted. */
  readonly configuration?: Record<string, string>;
  readonly applicationId?: string;
  readonly requireAuth: boolean;
  /** Only where it is true. */
  readonly disableDetokenization?: boolean;
  readonly timeout?: number;
  /** Always `active`: what is answered is in force. */
  readonly state: string;
}

export interface CreateProxy {
  readonly name: string;
  readonly destinationUrl: string;
  readonly requestTransform?: ProxyTransform | null | undefined;
  readonly responseTransform?: ProxyTransform | null | undefined;
  /** Sent as it is. */
  readonly configuration?: Record<string, string> | null | undefined;
  /** Public or private; its permissions are those of `req.bt` in the transforms. */
  readonly application?: { readonly id: string } | null | undefined;
  /** Default: true. */
  readonly requireAuth?: boolean | undefined;
  /** What looks like an expression in a request is literal text. Default: false. */
  readonly disableDetokenization?: boolean | null | undefined;
  /** Seconds until the response of the destination must begin, at most 30. */
  readonly timeout?: number | null | undefined;
}

/** What stays as it is is left out; null takes away. */
export interface PatchProxy extends Omit<Partial<CreateProxy>, 'configuration'> {
  /** Entry by entry; null takes all of it away. Sent as it is. */
  readonly configuration?: Record<string, string | null> | null | undefined;
}
