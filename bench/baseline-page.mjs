/** The least that serves a page: its bytes from memory, over Node's own server. What a cached page is compared with. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const page = readFileSync(process.env.PAGE_FILE);
const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Encoding': 'br',
  'Content-Length': page.length,
  'Cache-Control': 'public, max-age=0, must-revalidate',
};

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(page);
});
server.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => server.close(() => process.exit(0)));
