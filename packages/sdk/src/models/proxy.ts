import type { Auditable } from './page.ts';

export type ResponseGuard = 'off' | 'report' | 'mask' | 'refuse';

/** Changes or reads body and headers in transit. Only code and `tokenize` apply to requests too. */
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
  /** Names the proxy in invocations. */
  readonly key: string;
  readonly destinationUrl: string;
  readonly requestTransform?: ProxyTransform;
  readonly responseTransform?: ProxyTransform;
  /** Applied in order; instead of a single transform. */
  readonly requestTransforms?: readonly ProxyTransform[];
  readonly responseTransforms?: readonly ProxyTransform[];
  /** The keys are not converted. */
  readonly configuration?: Record<string, string>;
  readonly applicationId?: string;
  readonly requireAuth: boolean;
  /** Present only if true. */
  readonly disableDetokenization?: boolean;
  readonly timeout?: number;
  /** What happens to an answer that holds a value which the call has filled in. */
  readonly responseGuard?: ResponseGuard;
  readonly allowedDestinations?: readonly string[];
  /** Always `active`: changes apply at once. */
  readonly state: string;
}

export interface CreateProxy {
  readonly name: string;
  readonly destinationUrl: string;
  readonly requestTransform?: ProxyTransform | null | undefined;
  readonly responseTransform?: ProxyTransform | null | undefined;
  /** Applied in order; instead of a single transform. */
  readonly requestTransforms?: readonly ProxyTransform[] | null | undefined;
  readonly responseTransforms?: readonly ProxyTransform[] | null | undefined;
  /** Sent unchanged. */
  readonly configuration?: Record<string, string> | null | undefined;
  /** Public or private; its permissions are those of `req.bt` in the transforms. */
  readonly application?: { readonly id: string } | null | undefined;
  /** As in a proxy that was read. Used if there is no `application`. */
  readonly applicationId?: string | null | undefined;
  /** Default: true. */
  readonly requireAuth?: boolean | undefined;
  /** Expressions in requests are literal text. Default: false. */
  readonly disableDetokenization?: boolean | null | undefined;
  /** Seconds until the response of the destination must begin, at most 30. */
  readonly timeout?: number | null | undefined;
  /** Default: the tenant's setting, else `report`. */
  readonly responseGuard?: ResponseGuard | null | undefined;
  /** Hosts that the code may reach, such as `*.example.com`. Default: what the tenant's egress policy allows. */
  readonly allowedDestinations?: readonly string[] | null | undefined;
}

/** Absent members stay unchanged; null removes. */
export interface PatchProxy extends Omit<Partial<CreateProxy>, 'applicationId' | 'configuration'> {
  /** Merged entry by entry; null removes all entries. Sent unchanged. */
  readonly configuration?: Record<string, string | null> | null | undefined;
}
