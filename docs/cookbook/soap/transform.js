const { create } = require('xmlbuilder2');

module.exports = async (req) => {
  const { name, account } = req.args.body;
  const envelope = create({ version: '1.0', encoding: 'UTF-8' })
    .ele('soap:Envelope', { 'xmlns:soap': 'http://schemas.xmlsoap.org/soap/envelope/' })
    .ele('soap:Body')
    .ele('VerifyAccount', { xmlns: 'urn:bank' });
  envelope.ele('Name').txt(name);
  envelope.ele('Account').txt(account);
  return {
    headers: { 'Content-Type': 'text/xml; charset=utf-8', SOAPAction: '"urn:bank#VerifyAccount"' },
    body: envelope.end(),
  };
};
