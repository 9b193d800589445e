const close = (length: number) => `${'a'.repeat(length)}b`;
const far = (length: number) => `b${'a'.repeat(length)}`;

/** What is looked for comes close everywhere in a text of one letter. */
export const searches: readonly string[] = [
  `replace: '${close(400)}', 'x'`,
  `replace: '${far(400)}', 'x'`,
  `replace_first: '${close(400)}', 'x'`,
  `replace_last: '${close(400)}', 'x'`,
  `replace_last: '${far(400)}', 'x'`,
  `remove: '${close(400)}'`,
  `remove_first: '${far(400)}'`,
  `remove_last: '${far(400)}'`,
  `split: '${close(400)}'`,
  "split: ''",
  "split: ' '",
  "replace: '', ''",
  "replace: 'a', 'b'",
];

export const textFilters: readonly string[] = [
  ...'capitalize downcase upcase strip lstrip rstrip strip_newlines newline_to_br squish escape escape_once'.split(
    ' ',
  ),
  ...'strip_html url_encode url_decode base64_encode base64_decode to_base16 to_base64 stringify'.split(' '),
  ...'alias_preserve_format alias_preserve_length reveal last4 size abs to_string'.split(' '),
  'reveal_last: 4',
  "reveal: 1, 1, 'X', 'a'",
  'truncate: 100000',
  'truncatewords: 100000',
  "append: 'x'",
  "pad_left: 65536, 'x'",
  "hmac: 'sha-512', 'k' | to_base16",
];

export const listFilters: readonly string[] = [
  ...'sort sort_natural sum uniq reverse compact first last size stringify'.split(' '),
  "sort: 'a'",
  "map: 'a'",
  "sum: 'a'",
  "where: 'a', -1",
  "find: 'a', -1",
  "has: 'a', -1",
  'concat: nil',
  "join: ''",
  "join: 'x'",
  'slice: 1, 9',
];

export const paths: readonly string[] = [
  '$[0]',
  '$..nothing',
  '$..*..nothing',
  '$..*..*..nothing',
  '$[*][?@ > 9e9]',
  '$[::-1][?@ > 9e9]',
  '$[?@.a > 9e9]',
  '$..[?@.a > 9e9]',
  '$[?@.a == $.a]',
  '$[?length(@) > 9e9]',
  '$[?count(@..*) > 9e9]',
  '$[?count($..*) < 0]',
  '$[?@ == 1.5 || @ == 2.5 || @ == 3.5]',
  `$[${'0,'.repeat(200)}1]`,
];

/** What takes longer to be read than to be run. */
export const unread: readonly ((salt: string) => string)[] = [
  (salt) => `append: '${salt}'${" | append: 'x'".repeat(14)}`,
  (salt) => `json: '$.${salt}${'.a'.repeat(430)}'`,
  (salt) => `json: '$..${salt}${'..*'.repeat(280)}'`,
  (salt) => `json: '$[?@.${salt}${'||@.b'.repeat(170)}]'`,
  (salt) => `json: '$[?${'('.repeat(420)}@.${salt}${')'.repeat(420)}]'`,
  (salt) => `json: '$.${salt}'`,
  (salt) => `append: '${salt}${'x'.repeat(850)}'`,
];
