import { type ReactorErrors, errorsOf } from './reactor-error-texts.ts';

/**
 * The errors by which a transform or a reactor answers its caller. They follow the documentation of the package that user
 * code requires them from; the runner recognizes them by name and members. Each takes one optional argument that says what
 * was wrong.
 */
export class BasisTheoryReactorError extends Error {
  readonly status: number;
  readonly errors: ReactorErrors;

  constructor({ message, status, errors }: { message: string; status: number; errors?: unknown }) {
    super(message);
    this.name = new.target.name;
    this.status = status;
    this.errors = errorsOf(errors);
  }

  toRFC7807(): { detail: string; status: number; errors: ReactorErrors } {
    return { detail: this.message, status: this.status, errors: this.errors };
  }
}

export class BadRequestError extends BasisTheoryReactorError {
  constructor(errors?: unknown) {
    super({ message: 'Bad Request', status: 400, errors });
  }
}

export class InvalidReactorConfigurationError extends BasisTheoryReactorError {
  constructor(errors?: unknown) {
    super({ message: 'Invalid Reactor Configuration', status: 400, errors });
  }
}

export class AuthenticationError extends BasisTheoryReactorError {
  constructor(errors?: unknown) {
    super({ message: 'Authentication Failed', status: 401, errors });
  }
}

export class InvalidPaymentMethodError extends BasisTheoryReactorError {
  constructor(errors?: unknown) {
    super({ message: 'Invalid Payment Method', status: 402, errors });
  }
}

export class AuthorizationError extends BasisTheoryReactorError {
  constructor(errors?: unknown) {
    super({ message: 'Forbidden', status: 403, errors });
  }
}

export class RateLimitError extends BasisTheoryReactorError {
  constructor(errors?: unknown) {
    super({ message: 'Rate Limit Exceeded', status: 429, errors });
  }
}

export class ReactorRuntimeError extends BasisTheoryReactorError {
  constructor(errors?: unknown) {
    super({ message: 'Reactor Runtime Error', status: 500, errors });
  }
}

export class ServiceUnavailableError extends BasisTheoryReactorError {
  constructor(errors?: unknown) {
    super({ message: 'Service Unavailable', status: 503, errors });
  }
}

/** Throwing it answers with a whole response of any status. */
export class CustomHttpResponseError extends Error {
  readonly status: number;
  readonly headers: unknown;
  readonly body: unknown;

  /** @throws Error unless the status is an integer from 100 to 599 */
  constructor({
    status,
    headers = {},
    body = {},
  }: { status?: unknown; headers?: unknown; body?: unknown } = {}) {
    super('Custom HTTP Response');
    if (typeof status !== 'number' || !Number.isInteger(status)) {
      throw new Error('status is not a valid integer');
    }
    if (status < 100 || status > 599) {
      throw new Error(`status must be from 100 to 599, and ${status} is not`);
    }
    this.name = new.target.name;
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  toResponseBody(): { status: number; headers: unknown; body: unknown } {
    return { status: this.status, headers: this.headers, body: this.body };
  }
}
