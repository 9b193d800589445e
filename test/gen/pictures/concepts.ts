import type { Picture } from './draw.ts';

/** One for each page of docs/concepts, by its name. */
export const concepts: Readonly<Record<string, Picture>> = {
  tenant: {
    title: 'A tenant owns everything, and shares nothing with another tenant',
    boxes: [
      ['tenant', 0, 1, 'tenant', 'secret'],
      ['apps', 1, 0, 'applications\nand their keys'],
      ['tokens', 1, 1, 'tokens'],
      ['proxies', 1, 2, 'proxies, reactors'],
      ['keys', 2, 1, 'data keys\nof this tenant', 'secret'],
    ],
    arrows: [
      ['tenant', 'apps', 'owns'],
      ['tenant', 'tokens'],
      ['tenant', 'proxies'],
      ['tokens', 'keys', 'sealed by'],
    ],
  },
  application: {
    title: 'Which kind of application does what',
    boxes: [
      ['management', 0, 0, 'management key'],
      ['private', 0, 1, 'private key'],
      ['public', 0, 2, 'public key'],
      ['config', 1, 0, 'proxies, reactors,\napplications, rules'],
      ['values', 1, 1, 'reads and uses\ntokens', 'secret'],
      ['create', 1, 2, 'creates tokens,\nbegins sessions'],
    ],
    arrows: [
      ['management', 'config', 'configures'],
      ['private', 'values', 'server'],
      ['public', 'create', 'browser'],
    ],
  },
  container: {
    title: 'Containers are paths, and a rule covers everything below one',
    boxes: [
      ['root', 0, 1, '/'],
      ['pci', 1, 0, '/pci/'],
      ['pii', 1, 2, '/pii/'],
      ['high', 2, 0, '/pci/high/'],
      ['token', 3, 0, 'token', 'secret'],
      ['rule', 2, 1, 'rule on /pci/'],
    ],
    arrows: [
      ['root', 'pci'],
      ['root', 'pii'],
      ['pci', 'high'],
      ['high', 'token', 'holds'],
      ['rule', 'high', 'covers'],
    ],
  },
  rule: {
    title: 'The first rule that fits decides',
    boxes: [
      ['ask', 0, 0, 'token:read\nof /pci/high/'],
      ['one', 1, 0, 'priority 1\n/pci/high/ mask'],
      ['two', 1, 1, 'priority 2\n/pci/ reveal'],
      ['plain', 1, 2, 'plain permissions'],
      ['answer', 2, 0, 'XXXXXXXXXXXX4242'],
      ['no', 2, 2, '403'],
    ],
    arrows: [
      ['ask', 'one'],
      ['one', 'answer', 'fits'],
      ['one', 'two', 'else'],
      ['two', 'plain', 'else'],
      ['plain', 'no', 'else'],
    ],
  },
  token: {
    title: 'Data goes in once; a token and a mask come out',
    boxes: [
      ['data', 0, 0, '4242 4242\n4242 4242', 'secret'],
      ['vault', 1, 0, 'vault'],
      ['id', 2, 0, 'id'],
      ['mask', 2, 1, 'mask\nXXXXXXXXXXXX4242'],
      ['print', 2, 2, 'fingerprint'],
    ],
    arrows: [
      ['data', 'vault', 'create'],
      ['vault', 'id'],
      ['vault', 'mask'],
      ['vault', 'print'],
    ],
  },
  expression: {
    title: 'An expression is evaluated in the vault; only its result leaves',
    boxes: [
      ['text', 0, 0, 'id | json | last4'],
      ['token', 1, 0, 'data of the token', 'secret'],
      ['json', 2, 0, 'json: number', 'secret'],
      ['last', 3, 0, 'last4'],
      ['result', 3, 1, '4242'],
    ],
    arrows: [
      ['text', 'token', 'names'],
      ['token', 'json', 'then'],
      ['json', 'last', 'then'],
      ['last', 'result', 'leaves'],
    ],
  },
  proxy: {
    title: 'A proxy fills in values on the way to a destination',
    boxes: [
      ['you', 0, 0, 'your request\nwith a token'],
      ['proxy', 1, 0, 'proxy'],
      ['vault', 1, 1, 'vault\nmay you? log it', 'secret'],
      ['bank', 2, 0, 'destination\ngets the value', 'secret'],
    ],
    arrows: [
      ['you', 'proxy'],
      ['vault', 'proxy', 'value'],
      ['proxy', 'bank', 'https'],
    ],
  },
  transform: {
    title: 'Transforms run before the request is sent and before the answer is returned',
    boxes: [
      ['in', 0, 0, 'request with values', 'secret'],
      ['request', 1, 0, 'request transform'],
      ['bank', 2, 0, 'destination'],
      ['response', 1, 1, 'response transform'],
      ['out', 0, 1, 'answer'],
    ],
    arrows: [
      ['in', 'request'],
      ['request', 'bank', 'signed'],
      ['bank', 'response', '2xx'],
      ['response', 'out', 'tokenized'],
    ],
  },
  reactor: {
    title: 'A formula declares, a reactor configures, an invocation runs',
    boxes: [
      ['formula', 0, 0, 'formula\ncode, parameters'],
      ['reactor', 1, 0, 'reactor\nconfiguration'],
      ['args', 0, 1, 'args with tokens'],
      ['run', 1, 1, 'isolate', 'secret'],
      ['answer', 2, 1, 'raw and tokens'],
    ],
    arrows: [
      ['formula', 'reactor', 'of'],
      ['reactor', 'run', 'runs in'],
      ['args', 'run', 'filled in'],
      ['run', 'answer', 'returns'],
    ],
  },
  bt: {
    title: 'Code reaches the vault through bt, with no key in its hands',
    boxes: [
      ['code', 0, 0, 'your code\nreq.bt', 'secret'],
      ['runner', 1, 0, 'runner\nholds the right'],
      ['vault', 2, 0, 'vault'],
      ['app', 2, 1, 'application\nof the proxy'],
    ],
    arrows: [
      ['code', 'runner', 'call'],
      ['runner', 'vault', 'as it'],
      ['app', 'vault', 'its rules'],
    ],
  },
  invocation: {
    title: 'One trace id leads through everything that a request did',
    boxes: [
      ['call', 0, 1, 'request\nSVC-TRACE-ID'],
      ['invocation', 1, 0, 'invocation\nhow the code ran'],
      ['audit', 1, 1, 'log entries\nwhich tokens'],
      ['hook', 1, 2, 'webhook event'],
    ],
    arrows: [
      ['call', 'invocation', 'trace'],
      ['call', 'audit', 'trace'],
      ['call', 'hook', 'trace'],
    ],
  },
  egress: {
    title: 'A value leaves only where all of these allow it',
    boxes: [
      ['value', 0, 0, 'value', 'secret'],
      ['rule', 1, 0, 'destinations\nof the rule'],
      ['tenant', 2, 0, 'policy of\nthe tenant'],
      ['operator', 3, 0, 'rules of\nthe operator'],
      ['out', 3, 1, 'destination'],
    ],
    arrows: [
      ['value', 'rule'],
      ['rule', 'tenant', 'and'],
      ['tenant', 'operator', 'and'],
      ['operator', 'out', 'https'],
    ],
  },
};
