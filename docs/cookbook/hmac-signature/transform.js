const { createHmac } = require('crypto');

module.exports = async (req) => {
  const timestamp = String(Math.floor(Date.now() / 1000));
  // The destination verifies bytes, so the text that is signed is the text that is sent.
  const body = JSON.stringify(req.args.body);
  const signature = createHmac('sha256', req.configuration.SIGNING_KEY)
    .update(`${timestamp}.${body}`)
    .digest('hex');
  return {
    headers: { 'Content-Type': 'application/json', 'X-Timestamp': timestamp, 'X-Signature': signature },
    body,
  };
};
