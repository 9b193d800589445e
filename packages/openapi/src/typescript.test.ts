import { expect } from 'chai';

import { renderTypeScript } from './typescript.ts';

describe('the description of the API as TypeScript', () => {
  const typescript = renderTypeScript();
  const typeOf = (name: string) => new RegExp(`^export type ${name} = (.*);$`, 'm').exec(typescript)?.[1];

  it('has names as clients spell them, and says what is optional', () => {
    expect(typeOf('ApplicationKey')).to.equal(
      '{ readonly id: Id; readonly createdBy?: Id; readonly createdAt: Time; readonly lastUsedAt?: Time; readonly requestsPerMinute?: number; }',
    );
  });

  it('has what may be null, one of several, or all of several', () => {
    expect(typeOf('TransformPatch')).to.match(
      /^\{ .*readonly code\?: \(SourceCode\) \| \(null\); .*\} \| null$/,
    );
    expect(typeOf('ApplicationType')).to.equal('"private" | "public" | "management" | "expiring"');
    expect(typeOf('ReactorChange')).to.equal(
      '(ReactorAttributes) & ({ readonly name: ResourceName; readonly formula?: unknown; })',
    );
  });

  it('leaves open what may be anything', () => {
    expect(typeOf('Payload')).to.equal('unknown');
  });
});
