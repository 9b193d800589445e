const PDFDocument = require('pdfkit');

module.exports = async (req) => {
  const { name, account } = req.args;
  const document = new PDFDocument({ compress: false });
  const chunks = [];
  document.on('data', (chunk) => chunks.push(chunk));
  const ended = new Promise((resolve) => document.on('end', resolve));
  document.fontSize(20).text('Receipt');
  document.fontSize(12).text(name).text(account);
  document.end();
  await ended;
  return { raw: { pdf: Buffer.concat(chunks).toString('base64') } };
};
