/** What is at hand, or will be: a cache answers most of its readers without making them wait. */
export type MaybePromise<T> = T | Promise<T>;

/** `next` of the value, at once when it is at hand. What `next` throws then is thrown, else it rejects. */
export function andThen<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
