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

/** How a proxy and its destination identify themselves to each other. */
export interface DestinationTls {
  /** PEM. */
  readonly clientCertificate?: string;
  /** The key itself is never shown. */
  readonly hasClientKey: boolean;
  /** PEM: the authorities that may vouch for the destination, instead of the public ones. */
  readonly ca?: string;
  /** Public keys, one of which the destination has. */
  readonly pins?: readonly string[];
  /** When the client certificate expires. */
  readonly notAfter?: string;
}

/** Of `DestinationTls`, what is only shown is ignored, so that it can be sent back as it was read. */
export interface SendDestinationTls extends Partial<Pick<DestinationTls, 'hasClientKey' | 'notAfter'>> {
  /** PEM: the certificate and what leads from it to an authority. */
  readonly clientCertificate?: string | null | undefined;
  /** PEM, not encrypted. Without it, the key of the same certificate stays. */
  readonly clientKey?: string | null | undefined;
  readonly ca?: string | null | undefined;
  /** `sha256/` and the base64 of the SHA-256 of a SubjectPublicKeyInfo. */
  readonly pins?: readonly string[] | null | undefined;
}

export interface Proxy extends Auditable {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  /** Names the proxy in invocations. */
  readonly key: string;
  readonly destinationUrl: string;
  readonly destinationTls?: DestinationTls;
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
  readonly destinationTls?: SendDestinationTls | null | undefined;
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
