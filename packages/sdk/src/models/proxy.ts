import type { Auditable } from './page.ts';

/** What changes or reads body and headers on their way; only code is for requests too, and `tokenize`. */
export interface ProxyTransform {
  /** Default: code. */
  readonly type?: 'code' | 'mask' | 'tokenize' | 'append_json' | 'append_text' | 'append_header';
  /** A Node.js 16 module that exports a function of `req`. */
  readonly code?: string;
  readonly matcher?: 'regex' | 'chase_stratus_pan';
  readonly expression?: string;
  readonly replacement?: string;
  readonly options?: {
    readonly token?: object;
    readonly identifier?: string;
    readonly value?: unknown;
    readonly location?: string;
  };
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
  /** In their order; instead of a single one. */
  readonly requestTransforms?: readonly ProxyTransform[];
  readonly responseTransforms?: readonly ProxyTransform[];
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
  /** In their order; instead of a single one. */
  readonly requestTransforms?: readonly ProxyTransform[] | null | undefined;
  readonly responseTransforms?: readonly ProxyTransform[] | null | undefined;
  /** Sent as it is. */
  readonly configuration?: Record<string, string> | null | undefined;
  /** Public or private; its permissions are those of `req.bt` in the transforms. */
  readonly application?: { readonly id: string } | null | undefined;
  /** As a proxy has it that was read. It counts without `application`. */
  readonly applicationId?: string | null | undefined;
  /** Default: true. */
  readonly requireAuth?: boolean | undefined;
  /** What looks like an expression in a request is literal text. Default: false. */
  readonly disableDetokenization?: boolean | null | undefined;
  /** Seconds until the response of the destination must begin, at most 30. */
  readonly timeout?: number | null | undefined;
}

/** What stays as it is is left out; null takes away. */
export interface PatchProxy extends Omit<Partial<CreateProxy>, 'applicationId' | 'configuration'> {
  /** Entry by entry; null takes all of it away. Sent as it is. */
  readonly configuration?: Record<string, string | null> | null | undefined;
}
