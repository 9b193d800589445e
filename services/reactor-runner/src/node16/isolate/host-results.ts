import type { UrlParts } from './bindings/url.ts';
import type { HostAnswer } from './bridge.ts';
import type { Peer } from './network/tcp.ts';

/** A key as the isolate keeps it: a secret's bytes, or DER (SPKI, PKCS #8), with what the host knows of an asymmetric one. */
export type PackedKey = readonly [
  kind: string,
  data: Uint8Array<ArrayBuffer>,
  type: unknown,
  details: object,
];

type Pair = [privateKey: Uint8Array, publicKey: Uint8Array];

/** Results of the host's operations (node16/host) that are used here; others go to Node's library as they are. */
export interface HostResults {
  readonly 'bt.answers': (readonly [requestId: number, answer: string])[];
  readonly 'bt.request': number;
  readonly 'buffer.bytes': Uint8Array;
  readonly 'buffer.text': string;
  readonly constants: Record<string, unknown>;
  readonly 'crypto.aes': Uint8Array;
  readonly 'crypto.certificate': { readonly raw: Uint8Array };
  readonly 'crypto.certificateKey': PackedKey;
  readonly 'crypto.certificateLegacy': object;
  readonly 'crypto.cipher': number;
  readonly 'crypto.cipherFinal': { readonly output: Uint8Array; readonly tag?: Uint8Array };
  readonly 'crypto.cipherInfo': object;
  readonly 'crypto.cipherOfPassword': number;
  readonly 'crypto.cipherUpdate': Uint8Array;
  readonly 'crypto.dhGenerate': Pair;
  readonly 'crypto.dhOpen': {
    readonly prime: Uint8Array;
    readonly generator: Uint8Array;
    readonly verifyError: number;
  };
  readonly 'crypto.dhSecret': Uint8Array;
  readonly 'crypto.dhStateless': Uint8Array;
  readonly 'crypto.ecdhConvert': Uint8Array;
  readonly 'crypto.ecdhGenerate': Pair;
  readonly 'crypto.ecdhPublic': Uint8Array;
  readonly 'crypto.ecdhSecret': Uint8Array;
  readonly 'crypto.exportKey': string | Uint8Array;
  readonly 'crypto.hash': Uint8Array;
  readonly 'crypto.hmac': Uint8Array;
  readonly 'crypto.importJwk': PackedKey;
  readonly 'crypto.importKey': PackedKey;
  readonly 'crypto.importPoint': PackedKey;
  readonly 'crypto.importRaw': PackedKey;
  readonly 'crypto.privateDecrypt': Uint8Array;
  readonly 'crypto.privateEncrypt': Uint8Array;
  readonly 'crypto.publicDecrypt': Uint8Array;
  readonly 'crypto.publicEncrypt': Uint8Array;
  readonly 'crypto.rawPublic': Uint8Array;
  readonly 'crypto.sign': Uint8Array;
  readonly findPackage: { readonly text: string; readonly name: string } | undefined;
  readonly finished: (readonly [id: number, answer: HostAnswer])[];
  readonly 'net.certificate': Record<string, unknown> | undefined;
  readonly 'net.open': number;
  readonly packageNames: string[];
  readonly rejections: ReportedRejection[];
  readonly start: number;
  readonly 'text.decode': string | number;
  readonly 'text.decodePart': string | number;
  readonly 'text.isEncoding': boolean;
  readonly 'text.open': number;
  readonly 'text.transcode': Uint8Array | undefined;
  readonly 'url.parse': UrlParts | undefined;
  readonly 'url.set': UrlParts | undefined;
  readonly 'uv.errors': [number, [name: string, message: string]][];
  readonly 'zlib.open': number;
  readonly 'zlib.openBrotli': number;
  readonly 'zlib.write': {
    readonly output: Uint8Array;
    readonly left: number;
    readonly unread: number;
    readonly error: [message: string, errno: number, code: string] | undefined;
  };
}

/** The same of jobs, which the host does while the isolate waits. */
export interface JobResults {
  readonly 'net.connect': Peer;
  readonly 'net.read': Uint8Array | undefined;
}

/** Operations that return bytes. */
export type BytesOperation = {
  [Name in keyof HostResults]: HostResults[Name] extends Uint8Array ? Name : never;
}[keyof HostResults];

/** The reason of a rejection that has no handler: a primitive, the index of the error's stack among those known, or its name and message. */
export type ReportedRejection =
  | { readonly value: unknown }
  | { readonly known: number }
  | { readonly name: string; readonly message: string };
