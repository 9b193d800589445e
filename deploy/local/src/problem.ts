/** A reason why the system can't start that its user can fix: the problem, and what to do. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
  readonly advice: string;

  constructor(message: string, advice: string, options?: ErrorOptions) {
    super(message, options);
    this.advice = advice;
  }
}
