import { type FilterDescription, type FilterGroup, filter, may, needs } from './description.ts';

const items = [
  { name: 'x', qty: 7, gift: true },
  { name: 'y', qty: 1, gift: false },
];
const property = needs('property', 'text', 'the name of a member of each element');
const optionalProperty = may('property', 'text', '', 'the name of a member of each element; without it, the element itself counts');
const value = may(
  'value',
  'any',
  '',
  'what the member must equal; without it, the member must be neither null nor false',
);

/** A filter that picks elements by a member. */
function picking(name: string, summary: string): FilterDescription {
  return filter(
    name,
    summary,
    [property, value],
    [
      [items, `${name}: 'name', 'y'`],
      [items, `${name}: 'gift'`],
    ],
    [['abc', `${name}: 'name'`]],
  );
}

function whole(name: string, summary: string, input: FilterDescription['examples'][number][0]): FilterDescription {
  return filter(name, summary, [], [[input, name]], [['abc', name]]);
}

/** Filters for lists. */
export const listGroups: readonly FilterGroup[] = [
  {
    title: 'Lists',
    filters: [
      filter('first', 'Gives the first element.', [], [[['a', 'b'], 'first']]),
      filter('last', 'Gives the last element.', [], [[['a', 'b'], 'last']]),
      filter('size', 'Gives the number of elements of a list, or of characters of a text.', [], [
        [['a', 'b'], 'size'],
        ['4242', 'size'],
      ]),
      filter('join', 'Makes text of the elements.', [may('separator', 'text', "' '", 'what is put between them')], [
        [['a', 'b'], "join: ', '"],
      ], [[items, "join: ','"]]),
      filter('concat', 'Gives the elements of both lists.', [needs('list', 'list', 'the second list; below, `data.other` is `["c"]`')], [
        [['a', 'b'], 'concat: data.other'],
      ], [['abc', 'concat: data.other']]),
      whole('compact', 'Leaves out null.', ['a', null, 'b']),
      whole('reverse', 'Gives the elements backwards.', ['a', 'b']),
      whole('uniq', 'Leaves out repetitions.', ['a', 'b', 'a']),
      filter('sort', 'Sorts: numbers before text, null last.', [optionalProperty], [
        [['b', 'B', 'a'], 'sort'],
        [items, "sort: 'qty' | map: 'name'"],
      ], [[items, 'sort']]),
      filter('sort_natural', 'Sorts, and ignores case.', [optionalProperty], [[['b', 'B', 'a'], 'sort_natural']], [
        [items, 'sort_natural'],
      ]),
      filter('map', 'Gives a member of each element; null where there is none.', [property], [[items, "map: 'name'"]], [
        ['abc', "map: 'name'"],
      ]),
      filter('sum', 'Adds numbers and numeric text. Other elements are ignored.', [optionalProperty], [
        [[1, '2', 'x'], 'sum'],
        [items, "sum: 'qty'"],
      ], [['abc', 'sum']]),
      picking('where', 'Gives the elements whose member fits.'),
      picking('reject', 'Gives the elements whose member does not fit.'),
      picking('find', 'Gives the first element whose member fits, or null.'),
      picking('find_index', 'Gives the place of the first element whose member fits, from 0, or null.'),
      picking('has', 'Gives whether the member of any element fits.'),
    ],
  },
];
