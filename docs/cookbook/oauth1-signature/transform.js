const oauth = require('mastercard-oauth1-signer');

module.exports = async (req) => {
  const { URL, CONSUMER_KEY, SIGNING_KEY } = req.configuration;
  const body = JSON.stringify(req.args.body);
  const authorization = oauth.getAuthorizationHeader(URL, 'POST', body, CONSUMER_KEY, SIGNING_KEY);
  return { headers: { Authorization: authorization, 'Content-Type': 'application/json' }, body };
};
