import { type FilterDescription, type FilterGroup, filter, may, needs } from './description.ts';

/** A filter of text without arguments. */
function plain(name: string, summary: string, ...inputs: readonly string[]): FilterDescription {
  return filter(name, summary, [], inputs.map((input) => [input, name] as const), [[['a'], name]]);
}

const wanted = needs('text', 'text', 'what is searched for, at most 4,096 characters');
const by = may('by', 'text', "''", 'what takes its place');
const number = needs('number', 'number', 'the other number');

/** A filter of two numbers. */
function twoNumbers(name: string, summary: string, input: number, other: number): FilterDescription {
  return filter(name, summary, [number], [[input, `${name}: ${other}`]], [[['a'], `${name}: 1`]]);
}

function oneNumber(name: string, summary: string, input: number): FilterDescription {
  return filter(name, summary, [], [[input, name]], [[['a'], name]]);
}

/** Filters for text and numbers. */
export const textGroups: readonly FilterGroup[] = [
  {
    title: 'Text',
    filters: [
      filter('append', 'Adds text at the end.', [needs('text', 'text', 'what is added')], [['4242', "append: '-x'"]], [
        [{}, "append: 'x'"],
      ]),
      filter('prepend', 'Adds text at the beginning.', [needs('text', 'text', 'what is added')], [
        ['4242', "prepend: 'card-'"],
      ], [[{}, "prepend: 'x'"]]),
      plain('capitalize', 'Makes the first letter upper case and the others lower case.', 'aDA'),
      plain('downcase', 'Makes all letters lower case.', 'Ada'),
      plain('upcase', 'Makes all letters upper case.', 'Ada'),
      plain('strip', 'Removes white space at both ends.', ' a b '),
      plain('lstrip', 'Removes white space at the beginning.', ' a b '),
      plain('rstrip', 'Removes white space at the end.', ' a b '),
      plain('strip_newlines', 'Removes line breaks.', 'a\nb'),
      plain('newline_to_br', 'Puts `<br />` before every line break.', 'a\nb'),
      plain('squish', 'Removes white space at both ends, and makes every other white space one space.', ' a \n b '),
      plain('strip_html', 'Removes tags.', '<b>a</b> b'),
      plain('escape', 'Escapes the characters that have a meaning in HTML.', 'a < b &amp; c'),
      plain('escape_once', 'Escapes for HTML, and leaves entities as they are.', 'a < b &amp; c'),
      filter(
        'truncate',
        'Cuts text to a length that includes `end`.',
        [may('length', 'number', '50', 'the greatest length'), may('end', 'text', "'...'", 'what shows that text is missing')],
        [
          ['Sensitive Value', 'truncate: 12'],
          ['Sensitive Value', "truncate: 10, '…'"],
        ],
        [[{}, 'truncate: 3']],
      ),
      filter(
        'truncatewords',
        'Cuts text to a number of words.',
        [may('words', 'number', '15', 'the greatest number of words'), may('end', 'text', "'...'", 'what shows that text is missing')],
        [['one two three', 'truncatewords: 2']],
        [[{}, 'truncatewords: 3']],
      ),
      filter('split', 'Makes a list of the pieces between separators. Empty pieces at the end are left out.', [
        needs('separator', 'text', 'what is between the pieces'),
      ], [
        ['ann@x.org', "split: '@'"],
        ['ann@x.org', "split: '@' | first"],
      ], [[{}, "split: ','"]]),
      filter('remove', 'Removes a text wherever it occurs.', [wanted], [['12-34-56', "remove: '-'"]], [[{}, "remove: '-'"]]),
      filter('remove_first', 'Removes a text where it occurs first.', [wanted], [['12-34-56', "remove_first: '-'"]], [
        [{}, "remove_first: '-'"],
      ]),
      filter('remove_last', 'Removes a text where it occurs last.', [wanted], [['12-34-56', "remove_last: '-'"]], [
        [{}, "remove_last: '-'"],
      ]),
      filter('replace', 'Replaces a text wherever it occurs.', [wanted, by], [['12-34-56', "replace: '-', '/'"]], [
        [{}, "replace: '-', '/'"],
      ]),
      filter('replace_first', 'Replaces a text where it occurs first.', [wanted, by], [
        ['12-34-56', "replace_first: '-', '/'"],
      ], [[{}, "replace_first: '-', '/'"]]),
      filter('replace_last', 'Replaces a text where it occurs last.', [wanted, by], [
        ['12-34-56', "replace_last: '-', '/'"],
      ], [[{}, "replace_last: '-', '/'"]]),
      filter(
        'slice',
        'Gives a part of a text or a list. A negative `begin` counts from the end.',
        [
          needs('begin', 'whole number', 'where the part begins; 0 is the first character'),
          may('length', 'whole number', '1', 'how long it is'),
        ],
        [
          ['4242424242424242', 'slice: 0, 6'],
          ['4242424242421881', 'slice: -4, 4'],
        ],
        [
          ['abc', 'slice: 1.5'],
          [{}, 'slice: 0'],
        ],
      ),
    ],
  },
  {
    title: 'Numbers',
    about: 'Numeric text counts as a number. A result that is not finite is refused.',
    filters: [
      oneNumber('abs', 'Gives the number without its sign.', -5),
      oneNumber('ceil', 'Gives the next whole number that is not smaller.', 19.2),
      oneNumber('floor', 'Gives the next whole number that is not larger.', 19.9),
      filter('round', 'Rounds.', [may('decimals', 'number', '0', 'digits after the point')], [
        [19.955, 'round'],
        [19.955, 'round: 1'],
      ], [[['a'], 'round']]),
      twoNumbers('plus', 'Adds.', 19, 2),
      twoNumbers('minus', 'Subtracts.', 19, 2),
      twoNumbers('times', 'Multiplies.', 19, 2),
      filter('divided_by', 'Divides.', [number], [
        [19, 'divided_by: 2'],
        [1999, 'divided_by: 100'],
      ], [[19, 'divided_by: 0']]),
      filter('modulo', 'Gives the rest of a division.', [number], [[19, 'modulo: 4']], [[19, 'modulo: 0']]),
      twoNumbers('at_least', 'Gives the larger of two numbers.', 3, 5),
      twoNumbers('at_most', 'Gives the smaller of two numbers.', 3, 5),
    ],
  },
];
