/** Requests that callers send over and over, one of the bodies after the other. */
export interface Job {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** None: requests without a body. */
  readonly bodies: readonly string[];
  readonly callers: number;
}
