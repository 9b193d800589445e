import { type EgressOutcome, classifyEgressError } from '@glovebox/egress/classify-egress-error';
import { EgressConnectFailed, EgressDenied, PinMismatch } from '@glovebox/egress/egress-errors';
import { privateNames } from '@glovebox/egress/host-name';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { DestinationTls } from '@glovebox/protos/published/v1/published';

const title = 'Invalid proxy request';

/** The answer is no HTTP, or holds what cannot be passed on. */
export const notHttp = ['bad_gateway', 'The destination did not answer with valid HTTP.'] as const;
const refused = ['bad_gateway', 'The destination refused the connection.'] as const;

const privateName = [
  'bad_gateway',
  `The host of the destination cannot be public: it is a name of ${privateNames}, and the operator does not allow it.`,
] as const;

/** The destination itself says as much. */
function isPrivateName(cause: unknown): boolean {
  return cause instanceof EgressDenied && cause.reason === 'private-name';
}

/**
 * The error of a request without a response: it names the step that failed. The address, and why it is refused, stay in
 * the log: they would show a caller what an internal name resolves to.
 * @param tls of the proxy
 * @param place host and port of its destination, for callers who may know where it leads
 */
export function destinationError(cause: unknown, tls?: DestinationTls, place?: string): AppError {
  const [code, message] = sentenceOf(cause, tls);
  if (code === 'bad_gateway' && place !== undefined) {
    // No longer our own words alone: what was filled in is searched for in them.
    return new AppError(
      code,
      message.replace('destination', () => `destination ${place}`),
      { cause },
    );
  }
  const options = { cause, fixed: true };
  return new AppError(code, message, code === 'invalid_argument' ? { ...options, title } : options);
}

function sentenceOf(cause: unknown, tls: DestinationTls | undefined): readonly [AppError['code'], string] {
  if (isPrivateName(cause)) return privateName;
  if (isRefused(cause)) return refused;
  const outcome = classifyEgressError(cause);
  return outcome === 'tls' && tls !== undefined ? tlsSentenceOf(cause) : sentences[outcome];
}

function tlsSentenceOf(cause: unknown): readonly [AppError['code'], string] {
  // On a connection that was made before: the destination has looked at the certificate late.
  if (!(cause instanceof EgressConnectFailed)) return refusedLate;
  return cause.cause instanceof PinMismatch ? notPinned : unfitting;
}

const notPinned = [
  'destination_tls',
  "The public key of the destination matches none of the proxy's pins. Nothing was sent.",
] as const;
const unfitting = [
  'destination_tls',
  'No connection that fits destination_tls of the proxy could be made: an authority does not vouch for the destination, or the destination does not accept the client certificate. Nothing was sent.',
] as const;
const refusedLate = [
  'destination_tls',
  'The destination ended the connection with a TLS error, as it does for a client certificate that it does not accept.',
] as const;

/** By every address that was tried. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof EgressConnectFailed) || error.stage !== 'connect') return false;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

const sentences: Readonly<Record<EgressOutcome, readonly [AppError['code'], string]>> = {
  denied: [
    'bad_gateway',
    'The destination is not one that requests may be sent to: the egress rules of this service refuse it.',
  ],
  dns: ['bad_gateway', 'The name of the destination could not be resolved.'],
  connect: [
    'bad_gateway',
    'The destination could not be reached: no connection was made in time, or no route leads to it.',
  ],
  tls: [
    'bad_gateway',
    'No secure connection could be made to the destination: it does not speak TLS 1.2 or later, or its certificate is not valid for its name.',
  ],
  timeout: ['deadline_exceeded', 'The destination did not answer in time.'],
  reset: ['bad_gateway', 'The destination broke off the connection.'],
  protocol: notHttp,
  request: ['invalid_argument', 'The request cannot be sent to the destination: it is not valid HTTP.'],
  aborted: ['cancelled', 'The client went away.'],
  closed: ['unavailable', 'The service is shutting down.'],
  unknown: ['internal', 'The request could not be completed.'],
};
