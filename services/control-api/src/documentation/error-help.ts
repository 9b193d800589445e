import type { ErrorCode } from '@glovebox/platform/errors/app-error';

/** The help for an error code. */
export interface ErrorHelp {
  /** Whether the same request may succeed when it is sent again. */
  readonly again: string;
  readonly meaning: string;
  readonly remedy: string;
}

const never = 'No.';

/** For callers; docs/failure-modes.md has what operators do. */
export const errorHelp: Readonly<Record<ErrorCode, ErrorHelp>> = {
  invalid_argument: {
    again: never,
    meaning:
      'The request is wrong: a body that is no JSON, a field that is missing or of another type, an expression that does not parse, a token in an expression that does not exist.',
    remedy: 'The member errors names each field with what is wanted there. Change the request.',
  },
  strict: {
    again: never,
    meaning:
      'The request asked by SVC-Strict: true for warnings to be errors, and there is one: for example an unknown property or query parameter.',
    remedy:
      'Correct what the message names, or leave the header out: then the request is carried out, and the header SVC-Warning of its answer says the same.',
  },
  unauthenticated: {
    again: never,
    meaning:
      'There is no API key, or one that is unknown, expired or revoked; or an anonymous request holds an expression.',
    remedy: 'Send the key of an application in the header SVC-API-KEY.',
  },
  permission_denied: {
    again: never,
    meaning:
      'The application does not hold the permission that the request needs, or no access rule of it allows this container.',
    remedy: 'Give the application the permission or the rule that the message names, or use another key.',
  },
  not_found: {
    again: never,
    meaning: 'There is nothing at this address or with this id that this caller may know of.',
    remedy: 'Check the address, the id, and that the key belongs to the tenant that owns the resource.',
  },
  method_not_allowed: {
    again: never,
    meaning: 'The address takes other methods.',
    remedy: 'The header Allow lists them.',
  },
  deadline_exceeded: {
    again: 'Yes, if the destination can bear the request twice: it may have carried it out.',
    meaning: 'The destination did not answer in time, or the request took too long to arrive.',
    remedy: 'Raise the timeout of the proxy, or find out why the destination is slow.',
  },
  conflict: {
    again: 'No; with an idempotency key yes, while the first request is being processed.',
    meaning: 'The request contradicts what there is, or what another request is doing.',
    remedy: 'The message says what it collides with.',
  },
  too_large: {
    again: never,
    meaning: 'The body, the headers, or what the request asks for is larger than is taken.',
    remedy: 'The message has the limit. Send less at a time.',
  },
  unsupported_media_type: {
    again: never,
    meaning: 'The body is of a type or encoding that cannot be taken.',
    remedy: 'Send JSON in UTF-8 with its Content-Type, or a form where the address takes forms.',
  },
  unprocessable: {
    again: never,
    meaning:
      'The request is valid and what it asks for cannot be done: for example because code does not parse or a limit of the tenant is reached.',
    remedy: 'The message says what stands against it.',
  },
  rate_limited: {
    again: 'Yes, after the seconds that the header Retry-After gives.',
    meaning: 'There are more requests in this time, or more work under way, than is allowed.',
    remedy: 'Wait, spread the requests, or ask the operator for a higher limit.',
  },
  cancelled: {
    again: 'The caller has gone.',
    meaning: 'The caller closed the connection before there was an answer.',
    remedy: 'Raise the time limit of the caller.',
  },
  internal: {
    again: never,
    meaning:
      'The code of a proxy or reactor threw, ran out of time or memory, or returned what it may not (title Reactor Runtime Error); or the service has a fault.',
    remedy:
      'For code, read the message and the invocations of the proxy or reactor. For a fault, give the operator the trace_id.',
  },
  bad_gateway: {
    again: 'Perhaps: it depends on the destination.',
    meaning: 'The destination cannot be reached, may not be reached, or its answer cannot be taken.',
    remedy: 'The message says which of these it is.',
  },
  unavailable: {
    again: 'Yes, with pauses. With an idempotency key nothing is done twice.',
    meaning: 'Something that the request needs is away at the moment.',
    remedy: 'Try again; if it lasts, give the operator the trace_id.',
  },
};
