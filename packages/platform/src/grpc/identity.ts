const serviceName = /^[a-z][a-z0-9-]*$/;

/**
 * The service that a verified certificate names: by the one URI among its subject alternative names, as in SPIFFE
 * (X.509-SVID, section 2). Names of hosts say where something runs, not what it is, so they do not count.
 * @param certificate with its alternative names as `node:tls` and `node:crypto` write them
 * @param prefix start of the URI before the name, e.g. `spiffe://glovebox/`
 * @returns undefined for a certificate without a service
 */
export function serviceOf(
  certificate: { readonly subjectaltname?: string | undefined; readonly subjectAltName?: string | undefined },
  prefix: string,
): string | undefined {
  const names = certificate.subjectaltname ?? certificate.subjectAltName ?? '';
  // Node quotes an ambiguous name. None of ours is ambiguous.
  if (names.includes('"')) return undefined;
  const uris = names.split(', ').filter((name) => name.startsWith('URI:'));
  const [uri] = uris;
  if (uri === undefined || uris.length > 1 || !uri.startsWith(`URI:${prefix}`)) return undefined;
  const name = uri.slice('URI:'.length + prefix.length);
  return serviceName.test(name) ? name : undefined;
}
