/** A value or its promise: a cache answers most readers synchronously. */
export type MaybePromise<T> = T | Promise<T>;

/** `next` of the value, synchronously if it is there. Then an exception of `next` is thrown, otherwise it rejects. */
export function andThen<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
