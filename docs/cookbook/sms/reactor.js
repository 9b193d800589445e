const axios = require('axios');

module.exports = async (req) => {
  const { name, phone, day } = req.args;
  const { GATEWAY, ACCOUNT, SECRET, FROM } = req.configuration;
  const form = new URLSearchParams({ To: phone, From: FROM, Body: `Dear ${name}, we see you on ${day}.` });
  const { data } = await axios.post(GATEWAY, form.toString(), {
    auth: { username: ACCOUNT, password: SECRET },
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  return { raw: { sid: data.sid } };
};
