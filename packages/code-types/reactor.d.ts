/// <reference path="./bt.d.ts" />
/// <reference path="./errors.d.ts" />

/**
 * Code of a formula or of a reactor. It has 30 seconds and 2 seconds of processor time; asynchronous runs have 5 minutes
 * and 20 seconds.
 */
type ReactorCode = (req: ReactorRequest) => ReactorResult | void | Promise<ReactorResult | void>;

/** What reactor code receives. */
interface ReactorRequest {
  /** The arguments, with values in place of expressions. Of a formula with parameters: those, in their declared types. */
  args: any;
  /** The reactor's configuration, in the types that the formula declares; text where it declares none. */
  configuration: Record<string, any>;
  /** The client of the vault. It is null if the reactor has no application. */
  bt: Bt | null;
}

/** What reactor code returns. Without a result, the answer is `{}`. At most 2 MiB as JSON. */
interface ReactorResult {
  /** Answered as it is: any JSON. */
  raw?: unknown;
  /** Its values become tokens, as by `POST /tokenize`; the answer has them in the same structure as `tokens`. */
  tokenize?: unknown;
}
