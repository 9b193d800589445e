import { expect } from 'chai';

import { type PackageRunner, startPackageRunner } from './package-runner.ts';

describe('packages for documents', () => {
  let packages: PackageRunner;
  before(async () => {
    packages = await startPackageRunner();
  });
  after(() => packages[Symbol.asyncDispose]());

  it('exceljs writes a workbook and reads it again, also as CSV', async () => {
    const value = await packages.valueOf(`
      const ExcelJS = require('exceljs');
      const book = new ExcelJS.Workbook();
      const sheet = book.addWorksheet('Payouts');
      sheet.columns = [{ header: 'Name', key: 'name' }, { header: 'Amount', key: 'amount' }];
      sheet.addRow({ name: 'Zoë', amount: 12.5 });
      sheet.getCell('C1').value = { formula: 'SUM(B2:B2)', result: 12.5 };
      sheet.getCell('B2').font = { bold: true };
      const file = await book.xlsx.writeBuffer();
      const again = new ExcelJS.Workbook();
      await again.xlsx.load(file);
      const read = again.getWorksheet('Payouts');
      const csv = (await again.csv.writeBuffer()).toString();
      return [Buffer.from(file).subarray(0, 2).toString(), read.getRow(2).values.slice(1), read.getCell('C1').result,
        read.getCell('B2').font.bold, csv];`);
    expect(value).to.deep.equal(['PK', ['Zoë', 12.5], 12.5, true, 'Name,Amount,12.5\nZoë,12.5']);
  });

  it('jszip packs and unpacks', async () => {
    const value = await packages.valueOf(`
      const JSZip = require('jszip');
      const zip = new JSZip();
      zip.file('a/b.txt', 'text €'.repeat(100)).file('c.bin', Buffer.from([0, 255]));
      const bytes = await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
      const again = await JSZip.loadAsync(bytes);
      const streamed = [];
      await new Promise((resolve) =>
        zip.generateNodeStream({ streamFiles: true }).on('data', (chunk) => streamed.push(chunk)).on('end', resolve));
      return [Buffer.isBuffer(bytes), Object.keys(again.files), (await again.file('a/b.txt').async('string')).length,
        await again.file('c.bin').async('array'), Object.keys((await JSZip.loadAsync(Buffer.concat(streamed))).files)];`);
    const files = ['a/', 'a/b.txt', 'c.bin'];
    expect(value).to.deep.equal([true, files, 600, [0, 255], files]);
  });

  it('pdf-lib makes a PDF, changes it, and reads it', async () => {
    const value = await packages.valueOf(`
      const { PDFDocument, StandardFonts, rgb } = require('pdf-lib');
      const made = await PDFDocument.create();
      const font = await made.embedFont(StandardFonts.Helvetica);
      made.addPage([300, 200]).drawText('Receipt', { x: 20, y: 100, size: 24, font, color: rgb(0, 0.5, 0) });
      made.getForm().createTextField('card').setText('4242');
      const changed = await PDFDocument.load(await made.save());
      changed.setTitle('Receipt 7');
      changed.addPage();
      const read = await PDFDocument.load(await changed.saveAsBase64());
      return [read.getPageCount(), read.getPage(0).getSize(), read.getTitle(), read.getForm().getTextField('card').getText(),
        Math.round(font.widthOfTextAtSize('Receipt', 24))];`);
    expect(value).to.deep.equal([2, { width: 300, height: 200 }, 'Receipt 7', '4242', 81]);
  });

  it('pdfkit writes a PDF as a stream of Node.js', async () => {
    const value = (await packages.valueOf(`
      const PDFDocument = require('pdfkit');
      const doc = new PDFDocument({ compress: false, info: { Title: 'Invoice' } });
      doc.font('Times-Bold').fontSize(20).text('Total: 12', 72, 72).rect(10, 10, 50, 50).fill('#336699');
      doc.addPage().font('Courier').text('second');
      doc.end();
      const chunks = [];
      for await (const chunk of doc) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString('latin1');
      return [doc instanceof require('stream').Readable, chunks.every(Buffer.isBuffer), text.slice(0, 5),
        text.includes('/BaseFont /Times-Bold'), /Count 2/.test(text), text.trim().endsWith('%%EOF')];`)) as unknown[];
    expect(value).to.deep.equal([true, true, '%PDF-', true, true, true]);
  });
});
