import type { ErrorCode } from '@glovebox/platform/errors/app-error';

/** The help for an error code. */
export interface ErrorHelp {
  /** Whether the same request may succeed when it is sent again. */
  readonly retry: string;
  readonly meaning: string;
  readonly remedy: string;
}

const never = 'No.';

/** For callers. docs/failure-modes.md is for operators. */
export const errorHelp: Readonly<Record<ErrorCode, ErrorHelp>> = {
  invalid_argument: {
    retry: never,
    meaning:
      'The request is not valid: for example the body is not JSON, a field is missing or has the wrong type, or an expression cannot be parsed or names a token that does not exist.',
    remedy: 'Correct the request. The member errors lists each field and what is wrong with it.',
  },
  strict: {
    retry: never,
    meaning:
      'The request has the header SVC-Strict: true, which makes warnings errors, and it causes a warning: for example by an unknown property or query parameter.',
    remedy:
      'Correct what the message names, or omit the header. Then the request succeeds, and the header SVC-Warning of its answer has the message.',
  },
  unauthenticated: {
    retry: never,
    meaning:
      'The API key is missing, unknown, expired or revoked, or an anonymous request contains an expression.',
    remedy: 'Send the API key of an application in the header SVC-API-KEY.',
  },
  permission_denied: {
    retry: never,
    meaning:
      'The application lacks the permission that the request needs, or none of its access rules allows this container.',
    remedy:
      'Give the application the permission or the rule that the message names, or use the key of another application.',
  },
  destination_not_bound: {
    retry: never,
    meaning:
      'The access rules that allow the token have destinations, and none of them covers every place that the value could reach.',
    remedy:
      'Add the host that the message names to the destinations of the rule. If a transform or a reactor sees the value, also limit the hosts that its code may reach (allowed_destinations).',
  },
  destination_not_allowed: {
    retry: never,
    meaning:
      'The egress policy of the tenant does not allow the host to which the request would go, or does not allow ephemeral proxies. Nothing was sent.',
    remedy:
      'Add the host to the destinations of the policy (PUT /tenants/self/egress-policy), or use a proxy with another destination.',
  },
  not_found: {
    retry: never,
    meaning: 'Nothing with this address or id exists, or the caller has no access to it.',
    remedy:
      'Check the address and the id, and that the API key belongs to the tenant that owns the resource.',
  },
  method_not_allowed: {
    retry: never,
    meaning: 'The address does not support this method.',
    remedy: 'Use one of the methods in the header Allow.',
  },
  deadline_exceeded: {
    retry:
      'Yes, if the destination can safely get the request twice: it may already have processed the first one.',
    meaning: 'The destination did not answer in time, or the request took too long to arrive.',
    remedy: 'Raise the timeout of the proxy, or find out why the destination is slow.',
  },
  conflict: {
    retry:
      'No, unless the request has an idempotency key and the first request with it is still being processed.',
    meaning: 'The request conflicts with existing data or with another request.',
    remedy: 'The message names the conflict.',
  },
  version_conflict: {
    retry: never,
    meaning:
      'The request has the header If-Match, and the resource has another version: somebody changed it since you read it. Nothing was changed.',
    remedy:
      'Read the resource again, apply your change to what it is now, and send it with the new ETag. GET …/versions says who changed what.',
  },
  too_large: {
    retry: never,
    meaning: 'The body, the headers or the requested data exceed a limit.',
    remedy: 'Send or request less at a time. The message has the limit.',
  },
  unsupported_media_type: {
    retry: never,
    meaning: 'The type or encoding of the body is not supported.',
    remedy: 'Send JSON in UTF-8 with its Content-Type, or a form if the address accepts forms.',
  },
  unprocessable: {
    retry: never,
    meaning:
      'The request is valid but cannot be processed: for example because code cannot be parsed or the tenant has reached a limit.',
    remedy: 'The message gives the reason.',
  },
  rate_limited: {
    retry: 'Yes, after as many seconds as the header Retry-After gives.',
    meaning: 'The requests in a time window, or the concurrent work, exceed a limit.',
    remedy: 'Wait, spread the requests, or ask the operator for a higher limit.',
  },
  use_limit: {
    retry: 'Yes, once uses of the last hour no longer count: the limit applies to any 60 minutes.',
    meaning:
      'The application, or the application that made it, has used as many tokens in the last hour as its limits allow.',
    remedy: 'Wait, or raise the limits of the application if this use is expected. If not, replace its keys.',
  },
  cancelled: {
    retry: 'The caller has closed the connection.',
    meaning: 'The caller closed the connection before the answer was ready.',
    remedy: 'Raise the time limit of the caller.',
  },
  internal: {
    retry: never,
    meaning:
      'The code of a proxy or reactor threw an error, ran out of time or memory, or returned an invalid result (title Reactor Runtime Error), or the service has a bug.',
    remedy:
      'For an error of code, read the message and the invocations of the proxy or reactor. Otherwise give the operator the trace_id.',
  },
  integrity_violation: {
    retry: never,
    meaning:
      'Stored data that the request needs does not authenticate: somebody has changed it, or moved it to where it does not belong. Nothing of it is used or shown.',
    remedy: 'Give the operator the trace_id. The operator gets an alert for each such error.',
  },
  bad_gateway: {
    retry: 'Perhaps. It depends on the destination.',
    meaning: 'The destination cannot be reached, is not allowed, or gave an answer that cannot be used.',
    remedy: 'The message gives the reason.',
  },
  destination_tls: {
    retry: 'No. It fails again until the proxy or the destination changes.',
    meaning:
      'The proxy has destination_tls, and the TLS handshake with the destination does not fit it: the destination has another public key than those that are pinned, an authority does not vouch for it, or it does not accept the client certificate.',
    remedy:
      'The message gives the reason. Compare the pins with the certificate that the destination shows, see whether not_after of the proxy has passed, and whether the destination knows the client certificate.',
  },
  response_leaks_value: {
    retry: 'No. The request was sent, and the same answer may come again.',
    meaning:
      'The answer holds a value that was filled into the request, and the response_guard of the proxy or reactor is refuse.',
    remedy:
      'Change what the destination or the code answers. If the caller is to see the value, grant token:read with a rule that reveals it, or set response_guard to mask or report.',
  },
  unavailable: {
    retry: 'Yes, with pauses between attempts. With an idempotency key the request is carried out only once.',
    meaning: 'A service that the request needs is not available at the moment.',
    remedy: 'Try again. If the error persists, give the operator the trace_id.',
  },
  destination_circuit_open: {
    retry: 'Yes, after the seconds in Retry-After. Nothing was sent.',
    meaning:
      'The last ten requests of your tenant to this destination got no answer. For a moment it gets no further ones, then one at a time until it answers.',
    remedy: 'Look at the errors before this one: they say why the destination could not be reached.',
  },
  vault_sealed: {
    retry: 'Yes, after the seconds in Retry-After, with pauses between attempts.',
    meaning:
      'The operator has sealed the vault, usually because of an incident: it holds no key, so nothing can be encrypted or decrypted. Stored tokens are unharmed.',
    remedy: 'Try again later. The operator knows when the vault will be unsealed.',
  },
};
