const openpgp = require('openpgp');
const { Client } = require('ssh2');

const quoted = (value) => `"${String(value).replace(/"/g, '""')}"`;

function upload(options, path, text) {
  return new Promise((resolve, reject) => {
    const client = new Client();
    client.on('error', reject);
    client.on('ready', () => {
      client.sftp((error, sftp) => {
        if (error) return reject(error);
        sftp.writeFile(path, text, (failure) => {
          client.end();
          return failure ? reject(failure) : resolve();
        });
      });
    });
    client.connect(options);
  });
}

module.exports = async (req) => {
  const { file, payments } = req.args;
  const { HOST, PORT, USER, KEY, BANK_KEY } = req.configuration;
  const lines = payments.map(({ name, account, amount }) => [name, account, amount].map(quoted).join(','));
  const encrypted = await openpgp.encrypt({
    message: await openpgp.createMessage({ text: ['name,account,amount', ...lines].join('\r\n') }),
    encryptionKeys: await openpgp.readKey({ armoredKey: BANK_KEY }),
  });
  await upload({ host: HOST, port: Number(PORT), username: USER, privateKey: KEY }, file, encrypted);
  return { raw: { payments: payments.length } };
};
