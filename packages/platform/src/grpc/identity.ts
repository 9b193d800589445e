const serviceName = /^[a-z][a-z0-9-]*$/;

/**
 * The service that a verified certificate names: by the one URI among its subject alternative names, as SPIFFE has it (X.509-SVID,
 * section 2). Names of hosts say where something runs and not what it is, so they count for nothing.
 *
 * @param certificate with its alternative names as `node:tls` and `node:crypto` write them
 * @param prefix what the URI starts with before the name, e.g. `spiffe://glovebox/`
 * @returns undefined for a certificate of nobody
 */
export function serviceOf(
  certificate: { readonly subjectaltname?: string | undefined; readonly subjectAltName?: string | undefined },
  prefix: string,
): string | undefined {
  const names = certificate.subjectaltname ?? certificate.subjectAltName ?? '';
  // Node quotes a name that could be taken for several. None of ours can.
  if (names.includes('"')) return undefined;
  const uris = names.split(', ').filter((name) => name.startsWith('URI:'));
  const [uri] = uris;
  if (uri === undefined || uris.length > 1 || !uri.startsWith(`URI:${prefix}`)) return undefined;
  const name = uri.slice('URI:'.length + prefix.length);
  return serviceName.test(name) ? name : undefined;
}
