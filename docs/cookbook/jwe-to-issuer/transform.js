const { CompactEncrypt, importJWK } = require('jose');

module.exports = async (req) => {
  const { card, reference } = req.args.body;
  const jwk = JSON.parse(req.configuration.ISSUER_KEY);
  const encryptedData = await new CompactEncrypt(Buffer.from(JSON.stringify(card)))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: jwk.kid })
    .encrypt(await importJWK(jwk, 'RSA-OAEP-256'));
  return { headers: { 'Content-Type': 'application/json' }, body: { reference, encryptedData } };
};
