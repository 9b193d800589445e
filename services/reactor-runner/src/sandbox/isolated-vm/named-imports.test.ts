import { expect } from 'chai';

import { nameImports } from './named-imports.ts';

describe('the imports of code', () => {
  const renamed: Readonly<Record<string, string>> = {
    "const c = await import('crypto');": "const c = await $10000('crypto');",
    'import\n(name)': '$10000\n(name)',
    "`${`b ${import(/* x */ 'c')}`}` + import('d')": "`${`b ${$10000(/* x */ 'c')}`}` + $10000('d')",
    "const ü = '😀'; a / import('z') / 2": "const ü = '😀'; a / $10000('z') / 2",
    "const $10000 = 1; import('x')": "const $10000 = 1; $10001('x')",
  };
  for (const [code, expected] of Object.entries(renamed)) {
    it(`are calls of a function in ${JSON.stringify(code)}`, () => {
      expect(nameImports(code)).to.deep.equal({
        code: expected,
        importName: /\$1000\d(?=\s*\()/.exec(expected)?.[0],
      });
    });
  }

  for (const code of [
    'module.exports = 1;',
    `/* import('x') */ const s = "import('y')"; /import('r')/.test(s); o.import('n'); ({ import: 1 });`,
    "import x from 'y';",
    "import('unfinished",
  ]) {
    it(`are none in ${JSON.stringify(code)}`, () => {
      expect(nameImports(code)).to.deep.equal({ code, importName: undefined });
    });
  }
});
