/** Programs that receive webhooks, as in docs/follow-what-happens.md; a test compares them. */

export const typescriptReceiver = `import { createServer } from 'node:http';
import { verifyWebhook } from '@frontdesk/client';

const secret = process.env.WEBHOOK_SECRET ?? '';
const seen = new Set<string>();

createServer(async (request, response) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  try {
    const event = await verifyWebhook(Buffer.concat(chunks), request.headers, secret);
    // An event may come more than once; its id is always the same.
    if (!seen.has(event.id)) {
      seen.add(event.id);
      console.log(event.type, event.object.id);
    }
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(Number(process.env.PORT ?? 8080));
`;

export const pythonReceiver = `import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
seen = set()


def is_genuine(headers, body):
    """Checks the signature as Standard Webhooks 1.0 describes it."""
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    # An older request may be a replayed copy.
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(SECRET, signed, hashlib.sha256).digest()).decode()
    # There are two signatures for 24 hours after the secret was rotated.
    signatures = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(each, f"v1,{expected}") for each in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_genuine(self.headers, body):
            self.send_response(400)
            self.end_headers()
            return
        event = json.loads(body)
        # An event may come more than once; its id is always the same.
        if event["data"]["id"] not in seen:
            seen.add(event["data"]["id"])
            print(event["type"], event["data"]["object"]["id"], flush=True)
        self.send_response(204)
        self.end_headers()


HTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
`;
