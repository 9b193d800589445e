import { expect } from 'chai';

import { readOpenApiDocument } from './document.ts';
import { type Operation, type Parameter, methods } from './openapi-document.ts';

describe('the description of the API', () => {
  const document = readOpenApiDocument();
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [[`${method} ${path}`, operation] as const];
    }),
  );
  const failing = (isWrong: (operation: Operation) => boolean) =>
    operations.filter(([, operation]) => isWrong(operation)).map(([name]) => name);

  it('is there', () => {
    expect(document.openapi).to.equal('3.1.0');
    expect(operations).to.have.length.above(50);
  });

  it('says of every operation what it is, does and asks for', () => {
    const isWrong = ({ operationId, summary, description, tags, ...rest }: Operation) =>
      [operationId, summary, description, rest['x-permission'], tags[0]].some((text) => !text?.length);
    expect(failing(isWrong)).to.deep.equal([]);
  });

  it('has each operation under one of the tags that it explains', () => {
    const explained = new Set(document.tags.map(({ name }) => name));
    expect(failing(({ tags }) => tags.length !== 1 || !explained.has(tags[0]!))).to.deep.equal([]);
  });

  it('groups its tags by what people do, each once, and explains them in that order', () => {
    const grouped = document['x-tagGroups'].flatMap(({ tags }) => tags);
    expect(document.tags.map(({ name }) => name)).to.deep.equal(grouped);
    expect(new Set(grouped)).to.have.lengthOf(grouped.length);
  });

  it('has an example of every body', () => {
    const bodies = (operation: Operation) => [
      ...Object.values(operation.requestBody?.content ?? {}),
      ...Object.values(operation.responses).flatMap((one) =>
        'content' in one ? Object.values(one.content) : [],
      ),
    ];
    expect(
      failing((operation) => bodies(operation).some(({ example }) => example === undefined)),
    ).to.deep.equal([]);
  });

  // The page that shows it would fill them in, and one who tries a list would find nothing.
  it('has examples of all parameters of paths, and of none that is optional', () => {
    const ofPaths = Object.values(document.paths).flatMap(({ parameters = [] }) => parameters);
    const own = operations.flatMap(([, { parameters = [] }]) => parameters);
    const all = [...Object.values(document.components.parameters), ...ofPaths, ...own];
    const isWrong = ({ in: place, required = false, example }: Parameter) =>
      example === undefined ? place === 'path' : !required;
    expect(all.filter((one) => 'name' in one).filter(isWrong)).to.deep.equal([]);
  });

  it('shows an empty object where a parameter is one, as the page would make up members', () => {
    const contents = Object.values(document.components.parameters).flatMap(({ content = {} }) =>
      Object.values(content),
    );
    expect(contents.map(({ example }) => example)).to.deep.equal([{}]);
  });

  it('tells no address, so that it holds wherever it is served', () => {
    expect(document.servers).to.have.nested.property('[0].url', '/');
  });

  it('has no name that is half of a sentence, as a comma in YAML makes one', () => {
    const odd: string[] = [];
    const search = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, inner] of Object.entries(value)) {
        if (name === 'example') continue;
        if (name.includes(' ')) odd.push(`${path}/${name}`);
        search(inner, `${path}/${name}`);
      }
    };
    search(document, '');
    expect(odd).to.deep.equal([]);
  });
});
