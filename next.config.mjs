/**
 * What the files under a static path are sent with, beside the headers that every answer has (server/platform/http/security-headers.ts). Pages get
 * theirs from proxy.ts: they carry a nonce.
 */
const staticHeaders = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Cross-Origin-Resource-Policy', value: 'same-origin' },
  { key: 'Content-Security-Policy', value: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox" },
];

/** The service worker shows notifications and loads nothing. A sandbox would take its origin away. */
const workerHeaders = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Cross-Origin-Resource-Policy', value: 'same-origin' },
  { key: 'Content-Security-Policy', value: "default-src 'none'; frame-ancestors 'none'" },
  { key: 'Cache-Control', value: 'no-cache' },
];

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  // `npm test` checks types; here it would double the time of everybody's first start.
  typescript: { ignoreBuildErrors: true },
  reactStrictMode: true,
  typedRoutes: false,
  devIndicators: false,
  serverExternalPackages: [
    'pg',
    '@prisma/client',
    '@prisma/adapter-pg',
    '@node-rs/argon2',
    'pino',
    'ioredis',
    'rate-limiter-flexible',
    'piscina',
    'sharp',
    'undici',
    'web-push',
  ],
  headers: async () => [
    { source: '/_next/static/:path*', headers: staticHeaders },
    { source: '/vendor/:path*', headers: [...staticHeaders, { key: 'Cache-Control', value: 'public, max-age=3600' }] },
    { source: '/icon.svg', headers: staticHeaders },
    { source: '/notifications.js', headers: workerHeaders },
  ],
};

export default config;
