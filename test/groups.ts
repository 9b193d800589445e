/**
 * The patterns of all test files. Each group runs in a process of its own, three at a time: much of a test's time is waiting. The
 * longest come first, and the last are short, so that none runs alone at the end.
 */
export const groups: readonly (readonly string[])[] = [
  ['test/stories/[m-z]*.test.ts', 'test/stories/*/*.test.ts'],
  ['test/stories/[a-l]*.test.ts'],
  ['services/reactor-runner/test/[a-d]*.test.ts'],
  ['services/control-api/test/[a-i]*.test.ts'],
  ['services/control-api/test/[j-z]*.test.ts', 'services/control-api/{src,test/*}/**/*.test.ts'],
  ['services/reactor-runner/test/[e-z]*.test.ts', 'services/reactor-runner/test/*/**/*.test.ts'],
  ['services/token-vault/**/*.test.ts'],
  ['packages/*/{src,test}/**/*.test.ts', 'services/proxy-gateway/**/*.test.ts'],
  ['test/fences/**/*.test.ts'],
  ['deploy/{local,operator}/src/**/*.test.ts', 'deploy/k8s/test/**/*.test.ts'],
  ['services/reactor-runner/src/**/*.test.ts'],
];
