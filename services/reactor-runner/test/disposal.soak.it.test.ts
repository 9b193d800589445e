import { expectNoCrash } from './expect-no-crash.ts';

describe('the end of code that the host works for, again and again', function () {
  this.timeout(900_000);

  it('crashes nothing in 20,000 isolates that are disposed under way', () => expectNoCrash(10_000));
});
