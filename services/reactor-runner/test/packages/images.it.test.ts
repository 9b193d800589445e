import { readFileSync } from 'node:fs';

import { folderOf } from '@glovebox/user-packages/installed';
import { expect } from 'chai';

import { type PackageRunner, startPackageRunner } from './package-runner.ts';
import { startServer } from './servers.ts';

/** `Hello World`, black on white, as PNG. */
const helloWorld =
  'iVBORw0KGgoAAAANSUhEUgAAAKIAAAA1CAAAAADn+m88AAACnElEQVR42u2X7ZHjIAyG1QIt0AItqAW3QAtqwS3QglugBVqgBVpgBwlsgp1knbmbyd3An1WWr0filcCQv77BRJyIE3EiTsSJOBEn4kT8dxCJYs45Ev0xAk9u2OE1IiFdmP148GVZeO7aPi9hZ/nn4wGHHV4j4jEeh6m/RVxBibFBZ8VvQgwAoe6tdkvnb0LMClb+a4B2y/5lxI0srekSMTlCculhjQUW7gIdmgWcEXElS6FO9CGnlWw8ECMtJXM+QAwGSlPuAjEo7tPhQowb2KxUJ0XisYDskAfkyX5HdNxr0n3EoACd9xZgOyEGBWbzmwEVzmIkcHmplhZC6z0pMIKolV6926O4ASzeO2XeI2qqTctUlMPKq0j+ARFlu2Qe5SRiNFC2X3mYzTmCCDPIqfsSsF6LGqidyzvErqGsWJWmGa5HDPKDf8ZRjKm45Nk/htqz2rJfvuV9RdzaPnQ7ike+IbvZI7pW97ICN4px4ywuljgg0wWGV1APGb3v429rkbqojogj/oMY2xmHGj/Thgix3+fKKkvrjh8gKmzN/RKRxYg1U1aRYlYdoj8jHit8gIhPSzdJtvQhOsQoB1nEKLUAO8R8RqRW3e8f9KG3M6JvEk8tbw4x+loIisWjbP1HLZsj4tqyyd1GTO06u0BM7fBo8CMALHUawiKxdi3rNcdrRIzNS7xfuqnWsxzsqS6SnKEDoPGaPt4SrVODiTknK6gjYrZyR1n44AK0wBlTS+rjBWgBDBo4vRKW/R3moV5LXJR5GZevEJMp3RreHvTVk9YvfEcvvDRi8TVg3YB0uaLd+Hpx/WsWa+2PtgR3kfMM+0auWiW+oLeM+NGHQQrP++KNj4D0enBM8wtwIk7EiTgRJ+JEnIgTcSL+h4g/lRaWdiHktF8AAAAASUVORK5CYII=';

/** Some hundred times of what it takes on an idle machine. */
const wallMs = 55_000;

describe('packages for images', function () {
  this.timeout(2 * wallMs);
  let packages: PackageRunner;
  before(async () => {
    packages = await startPackageRunner(wallMs);
  });
  after(() => packages[Symbol.asyncDispose]());

  it('tesseract.js reads the text in an image', async () => {
    const value = await packages.valueOf(
      `
      const { createWorker } = require('tesseract.js');
      const seen = new Set();
      const worker = createWorker({ logger: ({ status }) => seen.add(status) });
      await worker.load();
      await worker.loadLanguage('eng');
      await worker.initialize('eng');
      const { data } = await worker.recognize(Buffer.from(req.image, 'base64'));
      await worker.terminate();
      return [data.text, data.words.map(({ text }) => text), data.confidence > 80, [...seen].at(-1),
        typeof WebAssembly, process.listenerCount('uncaughtException')];`,
      { image: helloWorld },
    );
    const words = ['Hello', 'World'];
    expect(value).to.deep.equal(['Hello World\n', words, true, 'recognizing text', 'undefined', 0]);
  });

  it('tesseract.js does without load, as its later versions do', async () => {
    const value = await packages.valueOf(
      `
      const { createWorker } = require('tesseract.js');
      const worker = await createWorker();
      await worker.loadLanguage('eng');
      await worker.initialize('eng');
      const { data } = await worker.recognize(Buffer.from(req.image, 'base64'));
      await worker.terminate();
      return data.text;`,
      { image: helloWorld },
    );
    expect(value).to.equal('Hello World\n');
  });

  it('tesseract.js takes images and languages over HTTP', async () => {
    const data = readFileSync(`${folderOf('@tesseract.js-data/eng')}/4.0.0_best_int/eng.traineddata.gz`);
    const files: Record<string, Buffer> = {
      '/hello.png': Buffer.from(helloWorld, 'base64'),
      '/eng.traineddata.gz': data,
    };
    await using server = await startServer(({ url }, response) => {
      const file = files[url];
      response.writeHead(file === undefined ? 404 : 200).end(file);
    });
    const value = await packages.valueOf(
      `
      const { createWorker, recognize } = require('tesseract.js');
      const { data } = await recognize(req.url + '/hello.png', 'eng', { langPath: req.url });
      const problem = await createWorker().recognize(Buffer.from('no image')).catch(String);
      return [data.text, problem];`,
      { url: server.url },
    );
    expect(value).to.deep.equal(['Hello World\n', 'not initialized']);
    expect(server.received.map(({ url }) => url)).to.deep.equal(['/eng.traineddata.gz', '/hello.png']);
  });
});
