import { constants } from 'node:os';

import { type DenialReason, EgressConnectFailed, EgressDenied } from '@glovebox/egress/egress-errors';

import type { EgressReport } from '../../../worker-protocol/code-reach.ts';
import { type Target, placeOf } from './target.ts';

/** Fields of an error that user code sees, beside its name and message. */
interface UserFields {
  readonly code: string;
  readonly errno?: number;
  readonly syscall?: string;
  readonly hostname?: string;
  readonly address?: string;
  readonly port?: number;
}

const { errno } = constants;
const numbers: Readonly<Record<string, number>> = errno;
const getaddrinfoNumbers: Readonly<Record<string, number>> = { ENOTFOUND: -3008, EAI_AGAIN: -3001 };

function userError(message: string, fields: UserFields, name = 'Error'): Error {
  const error = Object.assign(new Error(message), fields);
  error.name = name;
  return error;
}

/** Not which kind of address a name leads to: it would reveal the network around this process. */
function ruleOf(reason: DenialReason): string {
  if (reason === 'scheme') return 'only https is allowed';
  if (reason === 'ip-literal') return 'a DNS name is needed, not an IP address';
  if (reason === 'private-name')
    return 'a name of this kind cannot be public, and the operator does not allow it';
  return 'it is not a public host';
}

/** The policy does not allow it. */
class Denied extends Error {
  override readonly name = 'Error';
  readonly code = 'EACCES';
  readonly errno = -errno.EACCES;
  readonly syscall = 'connect';

  constructor(rule: string, target: Target) {
    super(`Requests to ${target.protocol}//${placeOf(target)} are not allowed: ${rule}.`);
  }
}

const tenantRules: Readonly<Record<EgressReport['reason'], string>> = {
  allowed_destinations: 'the host is not among the allowed_destinations of this code',
  egress_policy: 'the egress policy of the tenant does not name the host',
};

/** The tenant itself does not allow it. */
export function notAllowed(reason: EgressReport['reason'], target: Target): Error {
  return new Denied(tenantRules[reason], target);
}

/** Sockets without TLS are for SSH; nothing else is spoken over them. */
export function noSshServer(target: Target): Error {
  return new Denied('it is not an SSH server', target);
}

/** A limit of the invocation is reached. */
export function limitError(message: string): Error {
  return userError(message, { code: 'ERR_NETWORK_LIMIT' });
}

export function notFound(hostname: string, code = 'ENOTFOUND'): Error {
  const errno = getaddrinfoNumbers[code];
  return userError(`getaddrinfo ${code} ${hostname}`, {
    code,
    syscall: 'getaddrinfo',
    hostname,
    ...(errno === undefined ? {} : { errno }),
  });
}

/** Why there is no connection, as an error of Node.js 16. */
export function connectError(error: unknown, target: Target): Error {
  if (error instanceof EgressDenied) return new Denied(ruleOf(error.reason), target);
  if (error instanceof Denied) return error;
  if (!(error instanceof EgressConnectFailed)) return systemError('connect', error);
  const { stage, cause } = error;
  const first = firstOf(cause);
  if (stage === 'dns')
    return notFound(target.hostname, codeOf(first) === 'EAI_AGAIN' ? 'EAI_AGAIN' : 'ENOTFOUND');
  if (codeOf(first).startsWith('UND_ERR_CONNECT_TIMEOUT') || codeOf(first) === 'ETIMEDOUT')
    return withPlace('ETIMEDOUT', target.hostname, target.port);
  if (stage === 'tls') return handshakeError(first);
  const { address = target.hostname, port = target.port }: { address?: string; port?: number } =
    Object(first);
  return withPlace(codeOf(first), address, port);
}

/** What went wrong on a connection that stood. */
export function systemError(syscall: string, error: unknown): Error {
  const code = codeOf(error);
  const number = numbers[code];
  if (number !== undefined) return userError(`${syscall} ${code}`, { code, errno: -number, syscall });
  return tlsError(error);
}

function withPlace(code: string, address: string, port: number): Error {
  const number = numbers[code];
  return userError(`connect ${code} ${address}:${port}`, {
    code,
    syscall: 'connect',
    address,
    port,
    ...(number === undefined ? {} : { errno: -number }),
  });
}

/** The text is OpenSSL's or Node's own, about the other side's certificate or the handshake. */
function tlsError(error: unknown): Error {
  const message = error instanceof Error ? error.message : 'The connection failed.';
  return userError(asOlderTls(message), { code: codeOf(error) });
}

/** OpenSSL's own say where in this process's memory and in OpenSSL's source they were made. */
const opensslError = /^[0-9A-F]+:(error:[0-9A-F]+:[^:]*:[^:]*:[^:]*).*$/s;

/** Node.js 16 meets what OpenSSL says of a handshake when it writes. */
function handshakeError(error: unknown): Error {
  const [, reason] = opensslError.exec(error instanceof Error ? error.message : '') ?? [];
  if (reason === undefined) return tlsError(error);
  return userError(`write EPROTO ${reason}`, { code: 'EPROTO', errno: -errno.EPROTO, syscall: 'write' });
}

/** OpenSSL 1.1.1 spells it so, and Node.js 16 gives no advice on its own options. */
function asOlderTls(message: string): string {
  return message
    .replace(opensslError, '$1')
    .replace(/; if the root CA is installed locally, .*$/s, '')
    .replace(/^self-signed/, 'self signed');
}

function codeOf(error: unknown): string {
  const { code }: { code?: unknown } = Object(error);
  return typeof code === 'string' ? code : 'ECONNRESET';
}

/** Node.js 16 tries one address, IPv4 before IPv6, and its error names that address. */
function firstOf(cause: unknown): unknown {
  if (!(cause instanceof AggregateError)) return cause;
  const errors: unknown[] = cause.errors;
  return errors.find((error) => !String(Object(error).address).includes(':')) ?? errors[0];
}
