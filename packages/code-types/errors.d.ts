/**
 * Errors that say what the caller is answered. Each takes what was wrong: a text, a list, or an object of them by name.
 * Anything else that code throws is a 500 `Reactor Runtime Error`.
 */
declare module '@glovebox/reactor-errors' {
  class AnswerError extends Error {
    constructor(errors?: unknown);
    readonly status: number;
    readonly errors: Record<string, string[]>;
    toRFC7807(): { detail: string; status: number; errors: Record<string, string[]> };
  }
  /** 400, Bad Request. */
  export class BadRequestError extends AnswerError {}
  /** 400, Invalid Reactor Configuration. */
  export class InvalidReactorConfigurationError extends AnswerError {}
  /** 401, Authentication Failed. */
  export class AuthenticationError extends AnswerError {}
  /** 402, Invalid Payment Method. */
  export class InvalidPaymentMethodError extends AnswerError {}
  /** 403, Forbidden. */
  export class AuthorizationError extends AnswerError {}
  /** 429, Rate Limit Exceeded. */
  export class RateLimitError extends AnswerError {}
  /** 500, Reactor Runtime Error. */
  export class ReactorRuntimeError extends AnswerError {}
  /** 503, Service Unavailable. */
  export class ServiceUnavailableError extends AnswerError {}
  /** Answers exactly this, without an error object. `status` is a whole number from 200 to 599. */
  export class CustomHttpResponseError extends Error {
    constructor(answer: { status: number; headers?: ReturnedHeadersOfError; body?: unknown });
    toResponseBody(): { status: number; headers?: ReturnedHeadersOfError; body?: unknown };
  }
  type ReturnedHeadersOfError = Record<string, string | number | readonly (string | number)[]>;
}

/** The name by which code that was written for the hosted service requires them. */
declare module '@basis-theory/basis-theory-reactor-formulas-sdk-js' {
  export * from '@glovebox/reactor-errors';
}
