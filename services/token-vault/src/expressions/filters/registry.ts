import { aliasPreserveFormat, aliasPreserveLength } from './alias.ts';
import { aliasCard, cardBin, cardExp, cardMask } from './card.ts';
import { stringify, toBoolean, toNumber, toText } from './cast.ts';
import { hmac, toBase16, toBase64 } from './encode.ts';
import type { Filter } from './filter.ts';
import { json } from './json.ts';
import { fallback, find, findIndex, has, map, reject, slice, sort, sortNatural, sum, where } from './list.ts';
import { padLeft, padRight } from './pad.ts';
import { last4, reveal, revealLast } from './reveal.ts';
import { remove, removeFirst, removeLast, replace, replaceFirst, replaceLast, split } from './search.ts';
import { standardFilters } from './standard.ts';

export const filters: ReadonlyMap<string, Filter> = new Map([
  ...standardFilters,
  ['alias_card', aliasCard],
  ['alias_preserve_format', aliasPreserveFormat],
  ['alias_preserve_length', aliasPreserveLength],
  ['card_bin', cardBin],
  ['card_exp', cardExp],
  ['card_mask', cardMask],
  ['default', fallback],
  ['find', find],
  ['find_index', findIndex],
  ['has', has],
  ['hmac', hmac],
  ['json', json],
  ['json_stringify', stringify],
  ['last4', last4],
  ['map', map],
  ['pad_left', padLeft],
  ['pad_right', padRight],
  ['reject', reject],
  ['remove', remove],
  ['remove_first', removeFirst],
  ['remove_last', removeLast],
  ['replace', replace],
  ['replace_first', replaceFirst],
  ['replace_last', replaceLast],
  ['reveal', reveal],
  ['reveal_last', revealLast],
  ['slice', slice],
  ['sort', sort],
  ['sort_natural', sortNatural],
  ['split', split],
  ['stringify', stringify],
  ['sum', sum],
  ['to_base16', toBase16],
  ['to_base64', toBase64],
  ['to_boolean', toBoolean],
  ['to_number', toNumber],
  ['to_string', toText],
  ['where', where],
]);

/** The filter whose result is bytes, and the filters that take bytes. */
export const bytesFilter = 'hmac';
export const encoders: ReadonlySet<string> = new Set(['to_base16', 'to_base64']);
