// The search, and on small screens a closed list of pages. Everything else works without this script.
(() => {
  const input = document.getElementById('query');
  const results = document.getElementById('results');
  let index;
  let selected = -1;

  if (matchMedia('(max-width: 48rem)').matches) document.querySelector('nav details').open = false;

  // The same as in src/search-index.ts.
  const options = {
    fields: ['heading', 'page', 'text'],
    storeFields: ['page', 'heading'],
    searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
    tokenize: (text) => text.split(/[^\p{L}\p{N}_:]+/u).filter(Boolean),
  };

  async function open() {
    index ??= fetch('/docs/assets/search.json')
      .then((response) => response.text())
      .then((text) => MiniSearch.loadJSON(text, options));
    return index;
  }

  async function search() {
    const query = input.value.trim();
    if (query === '') return show([]);
    const found = (await open()).search(query);
    if (input.value.trim() === query) show(found.slice(0, 12), query);
  }

  function show(found, query) {
    selected = -1;
    input.removeAttribute('aria-activedescendant');
    results.replaceChildren(...found.map(item));
    if (found.length === 0 && query !== undefined) results.append(nothing(query));
    results.hidden = query === undefined;
    input.setAttribute('aria-expanded', String(query !== undefined));
  }

  function item({ id, heading, page }, at) {
    const option = document.createElement('li');
    option.id = `result-${at}`;
    option.role = 'option';
    const link = document.createElement('a');
    link.href = id;
    link.tabIndex = -1;
    link.append(heading);
    const place = document.createElement('small');
    place.append(page);
    link.append(place);
    option.append(link);
    return option;
  }

  function nothing(query) {
    const option = document.createElement('li');
    option.role = 'option';
    option.append(`Nothing found for “${query}”`);
    return option;
  }

  function select(next) {
    const options = [...results.querySelectorAll('li[id]')];
    if (options.length === 0) return;
    selected = (next + options.length) % options.length;
    for (const [at, option] of options.entries())
      option.setAttribute('aria-selected', String(at === selected));
    options[selected].scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', options[selected].id);
  }

  input.addEventListener('input', () => void search());
  input.addEventListener('focus', () => void open());
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') select(selected + 1);
    else if (event.key === 'ArrowUp') select(selected - 1);
    else if (event.key === 'Escape') {
      input.value = '';
      show([]);
    } else if (event.key === 'Enter') {
      const links = results.querySelectorAll('a');
      const link = links[Math.max(selected, 0)];
      if (link !== undefined) location.assign(link.href);
    } else return;
    event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.matches('input, textarea')) return;
    event.preventDefault();
    input.focus();
  });
  document.addEventListener('click', (event) => {
    if (!event.target.closest('search')) show([]);
  });
})();
