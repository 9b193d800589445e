import { type FilterGroup, filter, may, needs } from './description.ts';

const product = { color: 'red', price: 19.95, tags: ['a', 'b'], items: [{ qty: 1, name: 'x' }, { qty: 7, name: 'y' }] };
const card = { number: '4242424242424242', expiration_month: 10, expiration_year: 2028 };
const pan = '3622-7206-2716-5567';
const revealFirst = may('reveal_first', 'count', '0', 'characters that stay at the beginning');
const revealLast = may('reveal_last', 'count', '0', 'characters that stay at the end');
const maskCharacter = may('mask_char', 'character', "'X'", 'what a hidden character becomes');
const revealBin = may('reveal_bin', 'true or false', 'false', 'whether the issuer number stays');
const revealLast4 = may('reveal_last4', 'true or false', 'false', 'whether the last four digits stay');
const length = needs('length', 'count', 'the length to reach');
const padCharacter = needs('pad_char', 'character', 'what is added');

/** Filters for parts, types, masks, aliases, cards and encodings. */
export const valueGroups: readonly FilterGroup[] = [
  {
    title: 'Parts and JSON',
    filters: [
      filter(
        'json',
        'Selects one value from an object or a list by a JSONPath (RFC 9535, without `match` and `search`). Nothing found is null. A number or boolean becomes text, unless a cast follows.',
        [needs('path', 'text', 'the JSONPath')],
        [
          [product, "json: '$.color'"],
          [product, "json: '$.price'"],
          [product, "json: '$.price' | to_number"],
          [product, "json: '$.items[?(@.qty < 3)].name'"],
          [product, "json: '$.missing'"],
        ],
        [
          [product, "json: '$.items[*].name'"],
          [product, "json: 'color'"],
          ['text', "json: '$.a'"],
        ],
      ),
      filter(
        'stringify',
        'Gives compact JSON text. Text stays as it is.',
        [],
        [
          [{ color: 'red', price: 19.95 }, 'stringify'],
          ['text', 'stringify'],
        ],
      ),
      filter(
        'json_stringify',
        'Does what `stringify` does, as the last filter.',
        [],
        [[['a', 1, null], 'json_stringify']],
        [[{ color: 'red' }, 'json_stringify | upcase']],
      ),
    ],
  },
  {
    title: 'Casts',
    about: 'They decide which JSON type replaces an expression that fills a whole string.',
    filters: [
      filter(
        'to_boolean',
        'Makes a boolean of `true`, `false` and their text.',
        [],
        [['true', 'to_boolean']],
        [['yes', 'to_boolean']],
      ),
      filter(
        'to_number',
        'Makes a number of decimal text. A whole number that a double cannot hold exactly is refused, not rounded.',
        [],
        [
          ['42', 'to_number'],
          ['1e3', 'to_number'],
        ],
        [
          ['abc', 'to_number'],
          ['12345678901234567890', 'to_number'],
        ],
      ),
      filter('to_string', 'Makes text of a number or a boolean.', [], [[3.375, 'to_string']], [[['a'], 'to_string']]),
    ],
  },
  {
    title: 'Masks',
    about: 'Characters are Unicode code points.',
    filters: [
      filter('last4', 'Gives the last four characters, or all of a shorter text.', [], [['36227206271667', 'last4']], [
        [['a'], 'last4'],
      ]),
      filter(
        'reveal',
        'Hides the middle. If nothing would be hidden, everything is.',
        [
          revealFirst,
          revealLast,
          maskCharacter,
          may('preserve_chars', 'text', "''", 'characters that are never hidden'),
        ],
        [
          [pan, 'reveal: 6'],
          [pan, "reveal: 7, 4, '#', '-'"],
          [pan, 'reveal: 10, 9'],
        ],
        [
          ['abc', 'reveal: -1'],
          ['abc', "reveal: 1, 1, 'XX'"],
        ],
      ),
      filter(
        'reveal_last',
        'Hides all but the last characters; `-` stays. A text that is not longer than `length` is **not hidden**.',
        [needs('length', 'count', 'characters that stay'), maskCharacter],
        [
          ['123-45-6789', 'reveal_last: 4'],
          ['secret', "reveal_last: 4, '#'"],
          ['abc', 'reveal_last: 4'],
        ],
        [
          ['abc', 'reveal_last'],
          ['abc', "reveal_last: 'x'"],
        ],
      ),
      filter('pad_left', 'Adds characters at the beginning. It never cuts.', [length, padCharacter], [
        ['1234', "pad_left: 6, '0'"],
      ], [['abc', "pad_left: 6, 'ab'"]]),
      filter('pad_right', 'Adds characters at the end. It never cuts.', [length, padCharacter], [
        ['1234', "pad_right: 6, '0'"],
      ], [['abc', 'pad_right: 6']]),
    ],
  },
  {
    title: 'Aliases',
    about: 'Their results are random: each evaluation gives another one. The input must be longer than what is revealed.',
    filters: [
      filter(
        'alias_preserve_format',
        'Letters become random lower-case letters, digits random digits; the rest stays.',
        [revealFirst, revealLast],
        [['555-01-2222', 'alias_preserve_format: 0, 4', { pattern: /^\d{3}-\d{2}-2222$/, shown: '908-77-2222' }]],
        [['abc', 'alias_preserve_format: 2, 1']],
      ),
      filter(
        'alias_preserve_length',
        'Every character becomes a random lower-case letter or digit.',
        [revealFirst, revealLast],
        [['ann@x.org', 'alias_preserve_length', { pattern: /^[a-z0-9]{9}$/, shown: 'q7w02kd4m' }]],
        [['', 'alias_preserve_length']],
      ),
      filter(
        'alias_card',
        'Gives random digits in the shape of a card number; spaces and hyphens stay.',
        [revealBin, revealLast4],
        [
          [
            '4242424242424242',
            'alias_card: true, true',
            { pattern: /^42424242\d{4}4242$/, shown: '4242424290174242' },
          ],
        ],
        [['4242x4242', 'alias_card']],
      ),
    ],
  },
  {
    title: 'Cards',
    about: 'A card number of more than 64 characters is refused.',
    filters: [
      filter(
        'card_bin',
        'Gives the issuer number: the first 8 digits of a number of 16 or more, else the first 6.',
        [may('separator_char', 'text', "''", 'what is between the digits')],
        [
          ['4242424242424242', 'card_bin'],
          ['36227206271667', 'card_bin'],
          [pan, "card_bin: '-'"],
        ],
        [
          ['12345', 'card_bin'],
          [pan, 'card_bin'],
        ],
      ),
      filter(
        'card_exp',
        'Writes the end of validity of a card object. A missing month or year that the format needs gives null.',
        [needs('format', 'text', 'one of those that the error below lists')],
        [
          [card, "card_exp: 'MMYY'"],
          [card, "card_exp: 'MM/YY'"],
          [card, "card_exp: 'YYYY-MM'"],
        ],
        [
          [card, "card_exp: 'DD'"],
          ['10/28', "card_exp: 'MM'"],
        ],
      ),
      filter(
        'card_mask',
        'Hides a card number; the revealed parts are counted in digits, so separators keep their places.',
        [
          revealBin,
          revealLast4,
          maskCharacter,
          may('preserve_char', 'text', "''", 'characters that are never hidden'),
        ],
        [
          [pan, "card_mask: true, true, '#', '-'"],
          ['3622720627165567', 'card_mask: false, true'],
        ],
        [
          ['abc', 'card_mask'],
          ['3622720627165567', "card_mask: 'yes'"],
        ],
      ),
    ],
  },
  {
    title: 'Encodings and digests',
    filters: [
      filter(
        'hmac',
        'Gives the keyed digest as bytes. `to_base16` or `to_base64` must follow.',
        [
          needs('algorithm', 'text', '`sha-1`, `sha-256` or `sha-512`'),
          needs('key', 'text', 'the key; usually from the configuration'),
        ],
        [['4242424242424242', "hmac: 'sha-256', 'secretKeyValue' | to_base16"]],
        [
          ['abc', "hmac: 'sha-256', 'k'"],
          ['abc', "hmac: 'md5', 'k' | to_base16"],
        ],
      ),
      filter('to_base16', 'Encodes bytes, or text in UTF-8, as upper-case hexadecimal digits.', [], [
        ['foobar', 'to_base16'],
      ], [[{}, 'to_base16']]),
      filter('to_base64', 'Encodes bytes, or text in UTF-8, as base64.', [], [['foobar', 'to_base64']], [
        [{}, 'to_base64'],
      ]),
      filter('base64_encode', 'Encodes text in UTF-8 as base64.', [], [['foobar', 'base64_encode']], [
        [{}, 'base64_encode'],
      ]),
      filter('base64_decode', 'Decodes base64 to text.', [], [['Zm9vYmFy', 'base64_decode']], [
        [['a'], 'base64_decode'],
      ]),
      filter('url_encode', 'Percent-encodes text; a space becomes `+`.', [], [['a b&c', 'url_encode']], [
        [{}, 'url_encode'],
      ]),
      filter('url_decode', 'Decodes percent-encoded text; `+` becomes a space.', [], [['a+b%26c', 'url_decode']], [
        ['%zz', 'url_decode'],
      ]),
    ],
  },
  {
    title: 'Default',
    filters: [
      filter(
        'default',
        'Gives another value in place of null, empty text, an empty list and false.',
        [
          needs('value', 'any', 'what is given instead'),
          { ...may('allow_false', 'true or false', 'false', 'whether false stays'), isNamed: true },
        ],
        [
          [null, "default: 'none'"],
          ['', "default: 'none'"],
          [false, 'default: 1, allow_false: true'],
        ],
        [['abc', 'default']],
      ),
    ],
  },
];
