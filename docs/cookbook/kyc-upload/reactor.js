const axios = require('axios');
const { randomBytes } = require('crypto');

module.exports = async (req) => {
  const { person, photo } = req.args;
  const { SERVICE, KEY } = req.configuration;
  const boundary = randomBytes(16).toString('hex');
  const part = (headers, content) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]);
  const body = Buffer.concat([
    part('Content-Disposition: form-data; name="person"', person),
    part(
      'Content-Disposition: form-data; name="photo"; filename="photo.png"\r\nContent-Type: image/png',
      Buffer.from(photo, 'base64'),
    ),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  const headers = {
    Authorization: `Bearer ${KEY}`,
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
  };
  const { data } = await axios.post(SERVICE, body, { headers });
  return { raw: data };
};
