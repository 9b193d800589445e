/** As much of cert-manager's API (cert-manager.io/v1) as our objects have, and the tests look at. */
interface Named<Kind extends string> {
  readonly apiVersion: 'cert-manager.io/v1';
  readonly kind: Kind;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/** A duration as Go writes it, in hours. */
type Hours = `${number}h`;

export interface ICertificate extends Named<'Certificate'> {
  readonly spec: {
    readonly secretName: string;
    readonly isCA?: boolean;
    readonly commonName?: string;
    readonly uris?: readonly string[];
    readonly dnsNames?: readonly string[];
    readonly duration: Hours;
    readonly renewBefore: Hours;
    readonly privateKey: {
      readonly algorithm: 'ECDSA';
      readonly size: 256 | 384;
      readonly encoding: 'PKCS8';
      readonly rotationPolicy: 'Always' | 'Never';
    };
    readonly usages: readonly ('digital signature' | 'client auth' | 'server auth' | 'cert sign')[];
    readonly issuerRef: {
      readonly name: string;
      readonly kind: 'Issuer' | 'ClusterIssuer';
      readonly group: 'cert-manager.io';
    };
  };
}

export interface IIssuer extends Named<'Issuer'> {
  readonly spec:
    | { readonly selfSigned: Readonly<Record<string, never>> }
    | { readonly ca: { readonly secretName: string } };
}
