import { type KeyObject, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

import { BadOperation, type Operations, bytes, exact, integer, oneOf, text } from './arguments.ts';
import { heldKey, packed } from './crypto-keys.ts';

const maxCertificateBytes = 1024 * 1024;
const maxNameLength = 10_000;

class InvalidIp extends TypeError {
  readonly code = 'ERR_INVALID_ARG_VALUE';
}

/** Of X509_check_host(3ssl). */
const flags = {
  alwaysSubject: 1,
  noWildcards: 2,
  noPartial: 4,
  multiLabel: 8,
  singleLabel: 16,
  neverSubject: 32,
};

/** Certificates of `crypto`; the isolate holds their bytes. */
export const certificateOperations: Operations = {
  /** What it says, as the getters of Node.js' class have it; `raw` is its DER. */
  'crypto.certificate'(data) {
    const certificate = certificateOf(data);
    const { subject, subjectAltName, issuer, validFrom, validTo, serialNumber } = certificate;
    const infoAccess = infoAccessOf(certificate);
    const { fingerprint, fingerprint256, fingerprint512, keyUsage, ca } = certificate;
    const names = { subject, subjectAltName, issuer, infoAccess, validFrom, validTo, serialNumber };
    const fingerprints = { fingerprint, fingerprint256, fingerprint512 };
    const more = { keyUsage, checkCA: ca, pem: certificate.toString(), raw: exact(certificate.raw) };
    return { ...names, ...fingerprints, ...more };
  },
  'crypto.certificateKey': (data) => packed(certificateOf(data).publicKey),
  'crypto.certificateLegacy'(data) {
    const certificate = certificateOf(data);
    const { subject, subjectAltName: subjectaltname, issuer } = certificate;
    // Node.js 16 leaves the names as text here and has no `ca`.
    const names = { subject, issuer, subjectaltname, infoAccess: infoAccessOf(certificate) };
    const legacy = { ...certificate.toLegacyObject(), ...names, ca: undefined };
    const present = Object.entries(legacy).filter(([, value]) => value !== undefined);
    return Object.fromEntries(
      present.map(([name, value]: [string, unknown]) => [
        name,
        value instanceof Uint8Array ? exact(value) : value,
      ]),
    );
  },
  'crypto.certificateCheck'(data, what, name, given) {
    const check = oneOf(what, ['checkHost', 'checkEmail', 'checkIP']);
    const options = checkOptions(integer(given, 0, 63));
    if (check === 'checkIP' && !isIP(text(name, maxNameLength))) throw new InvalidIp('Invalid IP');
    return certificateOf(data)[check](text(name, maxNameLength), options);
  },
  'crypto.certificateIsIssuedBy': (data, issuer) => certificateOf(data).checkIssued(certificateOf(issuer)),
  'crypto.certificateIsSignedBy': (data, key) => certificateOf(data).verify(keyOf(key)),
  'crypto.certificateIsOfKey': (data, key) => certificateOf(data).checkPrivateKey(keyOf(key)),
};

function certificateOf(data: unknown): X509Certificate {
  return new X509Certificate(bytes(data, maxCertificateBytes));
}

/** As OpenSSL prints it, to the last line's end. */
function infoAccessOf({ infoAccess }: X509Certificate): string | undefined {
  return infoAccess === undefined ? undefined : `${infoAccess}\n`;
}

function keyOf(argument: unknown): KeyObject {
  const key = heldKey(argument);
  if (key === undefined) throw new BadOperation('expected a key');
  return key;
}

function checkOptions(given: number): object {
  const has = (flag: number) => (given & flag) !== 0;
  const always = has(flags.alwaysSubject) ? 'always' : 'default';
  return {
    subject: has(flags.neverSubject) ? 'never' : always,
    wildcards: !has(flags.noWildcards),
    partialWildcards: !has(flags.noPartial),
    multiLabelWildcards: has(flags.multiLabel),
    singleLabelSubdomains: has(flags.singleLabel),
  };
}
