"""Sample code that signs a call, in two languages: shown on the signing page and run by a test.

Each sample defines one function that takes key, method, address (path and query) and body, and
returns the value of `Service-Signature`.
"""

PYTHON = '''\
import hashlib
import hmac
import secrets
import time


def sign(api_key: str, method: str, address: str, body: bytes = b"") -> str:
    """Return Service-Signature. `address` is path?query, as it is sent."""
    secret = api_key.partition(":")[2]
    at, nonce = int(time.time()), secrets.token_urlsafe(16)
    digest = hashlib.sha256(body).hexdigest()
    signed = f"{at}.{nonce}.{method}.{address}.{digest}"
    signature = hmac.new(secret.encode(), signed.encode(), "sha256").hexdigest()
    return f"t={at},n={nonce},v1={signature}"
'''

JAVASCRIPT = """\
const crypto = require("node:crypto");

// Returns Service-Signature. `address` is path?query, as it is sent.
function sign(apiKey, method, address, body = "") {
  const secret = apiKey.slice(apiKey.indexOf(":") + 1);
  const at = Math.floor(Date.now() / 1000);
  const nonce = crypto.randomBytes(16).toString("base64url");
  const digest = crypto.createHash("sha256").update(body).digest("hex");
  const signed = `${at}.${nonce}.${method}.${address}.${digest}`;
  const signature = crypto.createHmac("sha256", secret).update(signed).digest("hex");
  return `t=${at},n=${nonce},v1=${signature}`;
}
"""

SAMPLES = (("Python", PYTHON), ("JavaScript, with Node.js", JAVASCRIPT))
