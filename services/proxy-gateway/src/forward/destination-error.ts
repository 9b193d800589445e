import { type EgressOutcome, classifyEgressError } from '@glovebox/egress/classify-egress-error';
import { EgressDenied } from '@glovebox/egress/egress-errors';
import { privateNames } from '@glovebox/egress/host-name';
import { AppError } from '@glovebox/platform/errors';

const title = 'Invalid proxy request';

/** What came in answer is none, or holds what cannot be passed on. */
export const notHttp = ['bad_gateway', 'The destination did not answer with valid HTTP.'] as const;
const unreachable = ['bad_gateway', 'The destination could not be reached.'] as const;

const privateName = [
  'bad_gateway',
  `The destination's host cannot be public: it is a name of ${privateNames}, and the operator does not allow it.`,
] as const;

/** That says nothing but what stands in the destination itself. */
function isPrivateName(cause: unknown): boolean {
  return cause instanceof EgressDenied && cause.reason === 'private-name';
}

/**
 * What the caller is told of a request that did not come to a response (api-facts sections 5.7 and 9, row 15). The
 * reason and the address stay in the log: told to a caller they would answer what an internal name resolves to.
 */
export function destinationError(cause: unknown): AppError {
  const [code, message] = isPrivateName(cause) ? privateName : told[classifyEgressError(cause)];
  return new AppError(code, message, code === 'invalid_argument' ? { cause, title } : { cause });
}

const told: Readonly<Record<EgressOutcome, readonly [AppError['code'], string]>> = {
  denied: unreachable,
  dns: unreachable,
  connect: unreachable,
  tls: ['bad_gateway', 'No secure connection could be made to the destination.'],
  timeout: ['deadline_exceeded', 'The destination did not answer in time.'],
  reset: ['bad_gateway', 'The destination broke off the connection.'],
  protocol: notHttp,
  request: ['invalid_argument', 'The request cannot be sent to the destination: it is not valid HTTP.'],
  aborted: ['cancelled', 'The client went away.'],
  closed: ['unavailable', 'The service is shutting down.'],
  unknown: ['internal', 'The request could not be completed.'],
};
